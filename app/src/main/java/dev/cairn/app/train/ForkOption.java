package dev.cairn.app.train;

import dev.cairn.app.run.RunFolder;
import dev.cairn.app.run.StorageOptions;
import dev.cairn.checkpoint.ForkPoint;
import dev.cairn.checkpoint.Matching;
import dev.cairn.checkpoint.Origin;
import dev.cairn.checkpoint.Selector;
import dev.cairn.store.Attributes;
import dev.cairn.train.Trainer.Start;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/// `--from RUN[@STEP|@best]`.
///
/// @param text as the user wrote it
record ForkOption(String text, Path run, Selector selector) {
    /// A folder that is there is meant as it is written, also with an `@` in its name.
    static ForkOption parse(CommandSpec command, String text) {
        int at = text.lastIndexOf('@');
        if (at < 0 || Files.isDirectory(Path.of(text))) {
            return new ForkOption(text, Path.of(text), new Selector.Latest());
        }
        Selector selector = Selector.parse(text.substring(at + 1))
                .orElseThrow(() -> new ParameterException(
                        command.commandLine(),
                        "--from %s: '%s' is neither a step nor 'best'".formatted(text, text.substring(at + 1))));
        return new ForkOption(text, Path.of(text.substring(0, at)), selector);
    }

    /// The checkpoint that is meant; refused where there is no such run.
    ForkPoint point(CommandSpec command, StorageOptions storage) throws IOException {
        if (!RunFolder.isRemote(run) && Files.isRegularFile(run)) {
            throw new ParameterException(
                    command.commandLine(),
                    "--from %s is a file, no run; make a run of it first: 'cairn import %s DIR', then --from DIR"
                            .formatted(text, run));
        }
        return new ForkPoint(RunFolder.open(command, run, storage), ForkPoint.nameOf(run), selector);
    }

    /// Refuses to fork a run into itself.
    void checkApart(CommandSpec command, Path other) throws IOException {
        boolean same = RunFolder.isRemote(run)
                ? run.equals(other)
                : Files.exists(run) && Files.exists(other) && Files.isSameFile(run, other);
        if (same) {
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
                && origin.get().run().equals(ForkPoint.nameOf(run))
                && switch (selector) {
                    case Selector.AtStep(long step) -> origin.get().step() == step;
                    case Selector.Latest _, Selector.Best _, Selector.UpTo _ -> true;
                };
        if (!same) {
            throw new ParameterException(
                    command.commandLine(),
                    "%s has checkpoints already, %s; choose another --run, or leave --from out to go on with this one"
                            .formatted(
                                    what,
                                    origin.map(from -> "forked from %s@%d, not from %s"
                                                    .formatted(from.run(), from.step(), text))
                                            .orElse("and is no fork")));
        }
    }
}
