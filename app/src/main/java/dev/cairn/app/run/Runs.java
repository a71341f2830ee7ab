package dev.cairn.app.run;

import dev.cairn.app.console.Failures;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/// Opens the run that an argument names. An argument that cannot be a run is a usage error.
public final class Runs {
    private static final String CURE = "; give the same location as for 'train --run'";
    private static final String ONE_BY_ONE = ": name each run in object storage by its prefix";

    private Runs() {}

    /// Returns the run's blobs, which need not exist.
    public static BlobStore blobs(CommandSpec command, RunLocation run, StorageOptions storage) {
        try {
            return run.blobs(storage.settings(command));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), Failures.describe(e), e);
        }
    }

    /// Opens an existing run.
    public static CheckpointStore open(CommandSpec command, RunLocation run, StorageOptions storage)
            throws IOException {
        BlobStore blobs = blobs(command, run, storage);
        Optional<String> absence = switch (run) {
            case RunLocation.Folder(Path folder) -> absence(folder);
            case RunLocation.Remote _ -> absence(blobs).map(why -> why + ONE_BY_ONE);
        };
        absence.ifPresent(why -> {
            throw new ParameterException(command.commandLine(), "no run at %s: %s".formatted(run, why));
        });
        return new CheckpointStore(blobs);
    }

    /// Opens an existing run whose damaged bytes are read from its copy, if one was named.
    public static CheckpointStore open(CommandSpec command, RunLocation run, StorageOptions storage, CopyOption copy)
            throws IOException {
        CheckpointStore alone = open(command, run, storage);
        return new CheckpointStore(alone.blobs(), copy.spares(command, run, storage));
    }

    private static Optional<String> absence(BlobStore blobs) throws IOException {
        boolean none = !hasRecords(blobs) && blobs.list(RunFiles.LEASES).isEmpty();
        return none ? Optional.of("nothing is stored there" + CURE) : Optional.empty();
    }

    private static Optional<String> absence(Path folder) throws IOException {
        Optional<String> noFolder = noFolder(folder);
        if (noFolder.isPresent() || RunFolders.isRun(folder)) {
            return noFolder.map(why -> why + CURE);
        }
        List<Path> runs = RunFolders.runsIn(folder);
        return Optional.of((runs.isEmpty()
                        ? "it has neither a 'log' with records nor a 'writer.lock'"
                        : "it contains runs, such as " + runs.getFirst())
                + CURE);
    }

    /// Returns why there is no such folder. Passes on other errors of the file system.
    private static Optional<String> noFolder(Path run) throws IOException {
        if (Files.isDirectory(run)) {
            return Optional.empty();
        }
        try {
            return Files.readAttributes(run, BasicFileAttributes.class).isDirectory()
                    ? Optional.empty()
                    : Optional.of("not a folder");
        } catch (NoSuchFileException absent) {
            return Optional.of("no such folder");
        } catch (FileSystemException e) {
            if (String.valueOf(e.getReason()).contains("Not a directory")) {
                return Optional.of("no such folder");
            }
            throw e;
        }
    }

    /// Whether anything was ever saved there.
    public static boolean hasBegun(CommandSpec command, RunLocation run, StorageOptions storage) throws IOException {
        BlobStore blobs = blobs(command, run, storage);
        return !(blobs instanceof LocalBlobStore local && !local.hasFolder()) && hasRecords(blobs);
    }

    public static boolean hasRecords(BlobStore blobs) throws IOException {
        return blobs.list(RunFiles.LOG).stream().anyMatch(RunFiles::isRecord);
    }
}
