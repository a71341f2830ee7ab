package dev.cairn.app;

import dev.cairn.s3.S3BlobStore;
import dev.cairn.s3.S3Location;
import dev.cairn.store.BlobStore;
import dev.cairn.store.CheckpointStore;
import dev.cairn.store.CheckpointStore.Entry;
import dev.cairn.store.LocalBlobStore;
import dev.cairn.store.LogRecord.Checkpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/// A run where a command was told that it is: a folder, or `s3://bucket/prefix`. As a path that is `s3:/bucket/prefix`,
/// which nobody calls a folder.
final class RunFolder {
    private static final Path SCHEME = Path.of("s3:");
    private static final String ONE_BY_ONE = ": runs in object storage are given one by one, with their prefix";

    private RunFolder() {}

    /// Whether the run is in object storage.
    static boolean isRemote(Path run) {
        return !run.isAbsolute() && run.startsWith(SCHEME);
    }

    /// The run for people.
    static String name(Path run) {
        return isRemote(run) ? run.toString().replaceFirst("s3:/*", "s3://") : run.toString();
    }

    /// The run's blobs, whether there are any or not.
    static BlobStore blobs(CommandSpec command, Path run, StorageOptions storage) {
        if (!isRemote(run)) {
            return new LocalBlobStore(run);
        }
        try {
            return S3BlobStore.open(S3Location.parse(name(run)), storage.options(command));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    /// An existing run.
    static CheckpointStore open(CommandSpec command, Path run, StorageOptions storage) throws IOException {
        BlobStore blobs = blobs(command, run, storage);
        absence(blobs, run).ifPresent(why -> {
            throw new CommandLine.ParameterException(
                    command.commandLine(),
                    "no run at %s: %s; give what 'train --run' was given%s"
                            .formatted(name(run), why, isRemote(run) ? ONE_BY_ONE : ""));
        });
        return new CheckpointStore(blobs);
    }

    private static Optional<String> absence(BlobStore blobs, Path run) throws IOException {
        if (isRemote(run)) {
            boolean none = !hasRecords(blobs) && blobs.list("lease/").isEmpty();
            return none ? Optional.of("there is nothing") : Optional.empty();
        }
        if (!Files.isDirectory(run)) {
            return Optional.of(Files.exists(run) ? "not a folder" : "no such folder");
        }
        if (isRun(run)) {
            return Optional.empty();
        }
        List<Path> runs = runsIn(run);
        return Optional.of(
                runs.isEmpty() ? "it has no 'log' folder" : "there are runs in it, such as " + runs.getFirst());
    }

    /// Whether anything was ever saved there.
    static boolean hasRecords(BlobStore blobs) throws IOException {
        return !blobs.list("log/").isEmpty();
    }

    /// Whether somebody has written into this folder as into a run.
    static boolean isRun(Path folder) {
        return Files.isDirectory(folder.resolve("log"))
                || Files.isDirectory(folder.resolve("lease"))
                || Files.exists(folder.resolve("writer.lock"));
    }

    /// The runs in this folder, by name, without those that are being made.
    static List<Path> runsIn(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> isRun(file) && !NewRun.isPart(file))
                    .sorted()
                    .toList();
        }
    }

    /// The checkpoints of a run whose records read, oldest first.
    static List<Checkpoint> checkpoints(Path folder) throws IOException {
        return new CheckpointStore(new LocalBlobStore(folder))
                .currentEntries().stream()
                        .flatMap(entry -> entry instanceof Entry.Intact(Checkpoint checkpoint)
                                ? Stream.of(checkpoint)
                                : Stream.empty())
                        .toList();
    }
}
