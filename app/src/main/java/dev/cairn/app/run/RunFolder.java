package dev.cairn.app.run;

import dev.cairn.app.text.Table;
import dev.cairn.s3.S3BlobStore;
import dev.cairn.s3.S3Location;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/// A run where a command was told that it is: a folder, or `s3://bucket/prefix`. As a path that is `s3:/bucket/prefix`,
/// which nobody calls a folder.
public final class RunFolder {
    private static final Path SCHEME = Path.of("s3:");
    private static final String ONE_BY_ONE = ": runs in object storage are given one by one, with their prefix";

    private static final String LOCK = "writer.lock";
    private static final Pattern RECORD = Pattern.compile("[0-9]{10,15}\\.rec");
    private static final Pattern LEASE = Pattern.compile("[0-9]{10,15}\\.lease");

    /// What a new run may find in its folder: what one that was cut off left, logs of whoever started it, and
    /// what a new disk has.
    private static final Pattern OWN =
            Pattern.compile("log|segments|lease|quarantine|\\.tmp-.*|.*\\.(log|jsonl|csv|lock)|events.*|lost\\+found");

    private RunFolder() {}

    /// Whether the run is in object storage.
    public static boolean isRemote(Path run) {
        return !run.isAbsolute() && run.startsWith(SCHEME);
    }

    /// The run for people.
    public static String name(Path run) {
        return isRemote(run) ? run.toString().replaceFirst("s3:/*", "s3://") : run.toString();
    }

    /// Where the run is, whatever links lead there, and whether it is there yet or not.
    public static Path place(Path run) throws IOException {
        if (isRemote(run)) {
            return run.normalize();
        }
        Path absolute = run.toAbsolutePath().normalize();
        for (Path there = absolute; there != null; there = there.getParent()) {
            if (Files.exists(there)) {
                return there.toRealPath().resolve(there.relativize(absolute)).normalize();
            }
        }
        return absolute;
    }

    /// The run's blobs, whether there are any or not.
    public static BlobStore blobs(CommandSpec command, Path run, StorageOptions storage) {
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
    public static CheckpointStore open(CommandSpec command, Path run, StorageOptions storage) throws IOException {
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
        Optional<String> noFolder = noFolder(run);
        if (noFolder.isPresent() || isRun(run)) {
            return noFolder;
        }
        List<Path> runs = runsIn(run);
        return Optional.of(
                runs.isEmpty()
                        ? "nothing in it is of a run, no 'log' with records, no 'writer.lock'"
                        : "there are runs in it, such as " + runs.getFirst());
    }

    /// Why there is no folder; where the disk does not say, that is told instead.
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
    public static boolean hasRecords(BlobStore blobs) throws IOException {
        return blobs.list("log/").stream()
                .anyMatch(
                        name -> RECORD.matcher(name.substring("log/".length())).matches());
    }

    /// Whether somebody has written into this folder as into a run: a folder called `log` alone tells nothing.
    public static boolean isRun(Path folder) throws IOException {
        return Files.exists(folder.resolve(LOCK), LinkOption.NOFOLLOW_LINKS)
                || has(folder.resolve("log"), RECORD)
                || has(folder.resolve("lease"), LEASE);
    }

    private static boolean has(Path folder, Pattern name) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(
                folder, file -> name.matcher(String.valueOf(file.getFileName())).matches())) {
            return files.iterator().hasNext();
        } catch (NoSuchFileException | NotDirectoryException absent) {
            return false;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    /// The runs in this folder, by name, without those that are being made. What nobody may look into is none.
    public static List<Path> runsIn(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        var runs = new ArrayList<Path>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                if (Files.isDirectory(file) && !NewRun.isPart(file) && isOpenRun(file)) {
                    runs.add(file);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        Collections.sort(runs);
        return runs;
    }

    private static boolean isOpenRun(Path folder) throws IOException {
        try {
            return isRun(folder);
        } catch (AccessDeniedException closed) {
            return false;
        }
    }

    /// Refuses a folder in which nothing was saved yet and which has files of others: it was meant for
    /// something else.
    public static void checkNew(CommandSpec command, Path run) throws IOException {
        if (isRemote(run) || !Files.isDirectory(run) || hasRecords(new LocalBlobStore(run))) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(run)) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                if (!OWN.matcher(name).matches()) {
                    throw new ParameterException(
                            command.commandLine(),
                            "%s is no run: it has '%s' in it, which is not of Cairn; choose a new or an empty folder for --run"
                                    .formatted(run, Table.shown(name)));
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    /// The checkpoints of a run whose records read, oldest first.
    public static List<Commit> checkpoints(Path folder) throws IOException {
        return new CheckpointStore(new LocalBlobStore(folder))
                .currentEntries().stream()
                        .flatMap(entry -> entry instanceof Entry.Intact(Commit checkpoint)
                                ? Stream.of(checkpoint)
                                : Stream.empty())
                        .toList();
    }
}
