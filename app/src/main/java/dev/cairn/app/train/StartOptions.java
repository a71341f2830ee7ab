package dev.cairn.app.train;

import dev.cairn.app.run.RunAt;
import dev.cairn.app.run.StorageOptions;
import dev.cairn.app.transfer.Import;
import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.ForkPoint;
import dev.cairn.checkpoint.Matching;
import dev.cairn.store.location.RunLocation;
import dev.cairn.train.Trainer.Start;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// Options of `train` that say where it begins: at the run's newest checkpoint, unless told otherwise.
final class StartOptions {
    @Option(
            names = "--fresh",
            description = "Start again at step 0, even if no checkpoint verifies. Old checkpoints stay on disk.")
    private boolean fresh;

    @Option(
            names = "--from",
            paramLabel = "RUN[@STEP|@best]",
            description =
                    "Start a new run from a checkpoint of another run: its newest, that of a step, or the best by "
                            + "test accuracy (by loss if there is none). Options that are not given are taken from the other "
                            + "run, which is only read. The same command resumes the new run.")
    private @Nullable RunAt from;

    @Option(
            names = "--partial",
            description = "If model and checkpoint differ, restore the tensors that fit and list those that do not.")
    private boolean partial;

    boolean isFresh() {
        return fresh;
    }

    /// What to fork, if anything; refuses what nobody can.
    @Nullable
    ForkOption fork(CommandSpec command, RunLocation run) throws IOException {
        if (from == null) {
            return null;
        }
        if (fresh) {
            throw new ParameterException(
                    command.commandLine(), "--fresh and --from exclude each other; choose another --run for the fork");
        }
        ForkOption fork = new ForkOption(from);
        fork.checkApart(command, run);
        return fork;
    }

    /// Where the run that was opened begins.
    Start start(
            CommandSpec command,
            RunLocation run,
            Checkpoints checkpoints,
            @Nullable ForkOption fork,
            StorageOptions storage)
            throws IOException {
        if (fresh) {
            return new Start.Fresh();
        }
        Optional<Checkpoint> newest = checkpoints.newestRecord();
        if (fork == null) {
            return new Start.Resume(matching(newest));
        }
        if (newest.isEmpty()) {
            return at(command, fork, storage);
        }
        fork.checkOrigin(command, "run " + run, newest.get().attributes());
        return new Start.Resume(matching(newest));
    }

    /// At the checkpoint that is to be forked.
    Start.Fork at(CommandSpec command, ForkOption fork, StorageOptions storage) throws IOException {
        ForkPoint point = fork.point(command, storage);
        return new Start.Fork(point, matching(Optional.of(point.record())));
    }

    /// A checkpoint that was imported may well be weights alone.
    private Matching matching(Optional<Checkpoint> checkpoint) {
        boolean imported = checkpoint
                .flatMap(found -> found.attributes().text(Import.SOURCE))
                .isPresent();
        return partial ? Matching.PARTIAL : imported ? Matching.WEIGHTS : Matching.WHOLE;
    }
}
