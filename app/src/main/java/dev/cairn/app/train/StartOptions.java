package dev.cairn.app.train;

import dev.cairn.app.run.RunAt;
import dev.cairn.app.run.Runs;
import dev.cairn.app.run.StorageOptions;
import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.ForkPoint;
import dev.cairn.checkpoint.Matching;
import dev.cairn.store.location.RunLocation;
import dev.cairn.train.job.Beginning;
import dev.cairn.transfer.Import;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// Options of `train` that say where it starts: by default at the run's newest checkpoint.
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

    /// Converts the options to the plan of a job.
    Beginning beginning(CommandSpec command, StorageOptions storage) {
        RunAt other = from;
        if (other == null) {
            return fresh ? new Beginning.Fresh() : new Beginning.Resume(this::matching);
        }
        if (fresh) {
            throw new ParameterException(
                    command.commandLine(), "--fresh and --from exclude each other; choose another --run for the fork");
        }
        return new Beginning.Fork(other.run(), other.selector(), () -> point(command, other, storage), this::matching);
    }

    /// Where a process begins that takes over a training that other options have begun.
    Beginning goingOn() {
        return new Beginning.Resume(this::matching);
    }

    /// The run to fork, as the user wrote it; empty if there is none.
    String fromText() {
        return from == null ? "" : from.text();
    }

    /// The checkpoint to fork; refused if there is no such run.
    private static ForkPoint point(CommandSpec command, RunAt from, StorageOptions storage) throws IOException {
        if (from.run() instanceof RunLocation.Folder(Path file) && Files.isRegularFile(file)) {
            throw new ParameterException(
                    command.commandLine(),
                    "--from %s is a file, not a run; make a run of it first: 'cairn import %s DIR', then --from DIR"
                            .formatted(from.text(), file));
        }
        return new ForkPoint(Runs.open(command, from.run(), storage), from.run().name(), from.selector());
    }

    /// A checkpoint that was imported may contain weights alone.
    private Matching matching(Optional<Checkpoint> checkpoint) {
        boolean imported = checkpoint
                .flatMap(found -> found.attributes().text(Import.SOURCE))
                .isPresent();
        return partial ? Matching.PARTIAL : imported ? Matching.WEIGHTS : Matching.WHOLE;
    }
}
