package dev.cairn.observe.recording;

import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.blob.RecordingName;
import dev.cairn.store.blob.RecordingName.Series;
import dev.cairn.store.blob.RunFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// Appends lines to one file in the folder of the run. A SIGKILL loses no appended lines; a power cut may. Links
/// are not followed, and only regular files are opened.
final class FolderSink implements Sink {
    private final Path run;
    private final Series series;
    private final String process;
    private @Nullable Path file;

    FolderSink(Path run, Series series, String process) {
        this.run = run;
        this.series = series;
        this.process = process;
    }

    @Override
    public long open(long least, LongFunction<byte[]> content) throws IOException {
        Path folder = folder();
        for (long attempt = Math.max(least, Attempts.next(new LocalBlobStore(run), series)); ; attempt++) {
            Path next = run.resolve(RecordingName.file(series, attempt, process).file());
            try {
                write(next, content.apply(attempt), StandardOpenOption.CREATE_NEW);
                file = next;
                removeTemporaries(folder, attempt);
                return attempt;
            } catch (FileAlreadyExistsException taken) {
                // Tries the next number.
            }
        }
    }

    @Override
    public void append(byte[] lines) throws IOException {
        Path known = Objects.requireNonNull(file);
        folder();
        requireRegular(known);
        write(known, lines, StandardOpenOption.APPEND);
    }

    @Override
    public void replace(byte[] all) throws IOException {
        Path known = Objects.requireNonNull(file);
        Path folder = folder();
        if (Files.exists(known, LinkOption.NOFOLLOW_LINKS)) {
            requireRegular(known);
        }
        Path temporary = folder.resolve(RunFiles.TEMPORARY_PREFIX + known.getFileName());
        Files.deleteIfExists(temporary);
        write(temporary, all, StandardOpenOption.CREATE_NEW);
        Files.move(temporary, known, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public boolean wantsAll() {
        return false;
    }

    @Override
    public boolean isDear() {
        return false;
    }

    private static void write(Path file, byte[] bytes, StandardOpenOption how) throws IOException {
        try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.WRITE, how, LinkOption.NOFOLLOW_LINKS)) {
            out.write(bytes);
        }
    }

    /// Returns the folder of the files. Creates it if it is absent, and refuses a link.
    private Path folder() throws IOException {
        Path folder = run.resolve(series.folder());
        if (Files.isSymbolicLink(folder)) {
            throw new FileSystemException(
                    folder.toString(), null, "a symbolic link inside a run is not followed; remove it");
        }
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            try {
                Files.createDirectory(folder);
            } catch (FileAlreadyExistsException other) {
                throw new NotDirectoryException(folder.toString());
            }
        }
        return folder;
    }

    /// Refuses a pipe, because opening it would block until something reads it.
    private static void requireRegular(Path file) throws IOException {
        if (!Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .isRegularFile()) {
            throw new FileSystemException(file.toString(), null, "not a regular file; remove it");
        }
    }

    /// Deletes the temporary file of an attempt that was killed while it replaced its file.
    private void removeTemporaries(Path folder, long attempt) {
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(folder, RunFiles.TEMPORARY_PREFIX + "*" + series.end())) {
            for (Path temporary : files) {
                String name = String.valueOf(temporary.getFileName());
                RecordingName of = RecordingName.parse(
                        series, series.folder() + name.substring(RunFiles.TEMPORARY_PREFIX.length()));
                if (of != null && of.attempt() < attempt) {
                    Files.deleteIfExists(temporary);
                }
            }
        } catch (IOException | DirectoryIteratorException left) {
            // The next attempt tries again.
        }
    }
}
