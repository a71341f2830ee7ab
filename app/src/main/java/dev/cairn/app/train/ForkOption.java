package dev.cairn.app.train;

import dev.cairn.app.run.RunAt;
import dev.cairn.app.run.Runs;
import dev.cairn.app.run.StorageOptions;
import dev.cairn.checkpoint.ForkPoint;
import dev.cairn.checkpoint.Matching;
import dev.cairn.checkpoint.Origin;
import dev.cairn.checkpoint.Selector;
import dev.cairn.store.Attributes;
import dev.cairn.store.location.RunLocation;
import dev.cairn.train.Trainer.Start;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/// `--from RUN[@STEP|@best]`.
record ForkOption(RunAt from) {
    /// The checkpoint that is meant; refused where there is no such run.
    ForkPoint point(CommandSpec command, StorageOptions storage) throws IOException {
        if (from.run() instanceof RunLocation.Folder(Path file) && Files.isRegularFile(file)) {
            throw new ParameterException(
                    command.commandLine(),
                    "--from %s is a file, no run; make a run of it first: 'cairn import %s DIR', then --from DIR"
                            .formatted(from.text(), file));
        }
        return new ForkPoint(Runs.open(command, from.run(), storage), from.run().name(), from.selector());
    }

    /// Refuses to fork a run into itself.
    void checkApart(CommandSpec command, RunLocation other) throws IOException {
        if (from.run().isSameAs(other)) {
            throw new ParameterException(
                    command.commandLine(), "--run and --from are the same run; choose another folder for --run");
        }
    }

    /// Refuses a checkpoint of another workload, whose tensors do not fit, unless what fits is all that is
    /// wanted.
    static void checkWorkload(CommandSpec command, Start.Fork fork, String workload) throws IOException {
        Optional<String> trained = fork.point().record().attributes().text("workload");
        if (trained.isPresent() && !trained.get().equals(workload) && fork.matching() != Matching.PARTIAL) {
            throw new ParameterException(
                    command.commandLine(),
                    "--from names a run of %s, not of %s; fork it with 'train %s', or leave --from out to begin %s anew"
                            .formatted(trained.get(), workload, trained.get(), workload));
        }
    }

    /// Refuses a run that has checkpoints and is not the fork that this option makes.
    ///
    /// @param what for people: the run, or its copy
    /// @param attributes of the newest checkpoint there
    void checkOrigin(CommandSpec command, String what, Attributes attributes) {
        Optional<Origin> origin = Origin.of(attributes);
        boolean same = origin.isPresent()
                && origin.get().run().equals(from.run().name())
                && switch (from.selector()) {
                    case Selector.AtStep(long step) -> origin.get().step() == step;
                    case Selector.Latest _, Selector.Best _, Selector.UpTo _ -> true;
                };
        if (!same) {
            throw new ParameterException(
                    command.commandLine(),
                    "%s has checkpoints already, %s; choose another --run, or leave --from out to go on with this one"
                            .formatted(
                                    what,
                                    origin.map(other -> "forked from %s@%d, not from %s"
                                                    .formatted(other.run(), other.step(), from.text()))
                                            .orElse("and is no fork")));
        }
    }
}
