package dev.cairn.app.run;

import dev.cairn.store.location.RunLocation;
import dev.cairn.store.segment.Spares;
import dev.cairn.store.spare.RunCopy;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// The option that names the copy of a run.
public final class CopyOption {
    @Option(
            names = "--copy",
            paramLabel = "PLACE",
            description = "The run's copy, as given to 'train --copy-to'. Bytes that are damaged in the run and that "
                    + "parity does not heal are read from there.")
    private @Nullable RunLocation copy;

    /// Whether a copy was named.
    public boolean isGiven() {
        return copy != null;
    }

    /// Where damaged bytes of this run are read from.
    Spares spares(CommandSpec command, RunLocation run, StorageOptions storage) throws IOException {
        Optional<RunCopy> given = open(command, run, storage);
        return given.isPresent() ? given.get() : Spares.NONE;
    }

    /// The copy of this run; empty if none was named. A copy in a folder must exist. One in object storage is not asked
    /// before it is needed.
    public Optional<RunCopy> open(CommandSpec command, RunLocation run, StorageOptions storage) throws IOException {
        RunLocation place = copy;
        if (place == null) {
            return Optional.empty();
        }
        if (place.equals(run)) {
            throw new ParameterException(
                    command.commandLine(), "--copy %s is the run itself; give the place of its copy".formatted(place));
        }
        if (place instanceof RunLocation.Folder) {
            Runs.open(command, place, storage);
        }
        return Optional.of(new RunCopy(Runs.blobs(command, place, storage)));
    }
}
