package dev.cairn.store.blob;

import dev.cairn.store.Clock;
import dev.cairn.store.StorageUnavailableException;
import dev.cairn.store.StoreException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/// Retries failed reads of the file system with growing pauses: a network may come back, and file descriptors and
/// memory may become free. After five seconds the storage counts as unavailable, which says nothing about the stored
/// data. A definite answer of the file system, such as that a file does not exist, is not retried.
final class ReadPatience {
    static final int ATTEMPTS = 8;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    /// ENOTDIR, for which Java has no exception of its own where a folder of a path is a file.
    static final String NOT_A_FOLDER = "Not a directory";

    /// Also ENAMETOOLONG, and ELOOP as Java words it.
    private static final Set<String> CERTAIN = Set.of(
            NOT_A_FOLDER,
            "File name too long",
            "Too many levels of symbolic links or unable to access attributes of symbolic link");

    private final Clock clock;

    /// @param clock measures the pauses
    ReadPatience(Clock clock) {
        this.clock = clock;
    }

    /// A read that starts from the beginning each time.
    interface Reading<T> {
        T read() throws IOException;
    }

    /// @param file the file, for people
    /// @throws StorageUnavailableException if the read keeps failing
    <T> T read(Path file, Reading<T> reading) throws IOException {
        long start = clock.nanos();
        Duration pause = FIRST_PAUSE;
        for (int attempt = 1; ; attempt++) {
            try {
                return reading.read();
            } catch (ClosedByInterruptException e) {
                throw interrupted(file, e);
            } catch (IOException e) {
                if (isCertain(e)) {
                    throw e;
                }
                if (attempt == ATTEMPTS) {
                    throw unavailable(file, e, Duration.ofNanos(clock.nanos() - start));
                }
            }
            pause(file, pause);
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    /// Whether the error is a definite answer, and not a temporary failure.
    private static boolean isCertain(IOException e) {
        return switch (e) {
            case StoreException _, StorageUnavailableException _, InterruptedIOException _, EOFException _ -> true;
            case NoSuchFileException _, NotDirectoryException _, AccessDeniedException _, FileSystemLoopException _ ->
                true;
            case FileSystemException other -> CERTAIN.contains(String.valueOf(other.getReason()));
            default -> false;
        };
    }

    private void pause(Path file, Duration pause) throws IOException {
        try {
            clock.pause(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted(file, e);
        }
    }

    private static IOException interrupted(Path file, Exception cause) {
        return (IOException) new InterruptedIOException("interrupted while reading " + file).initCause(cause);
    }

    private static StorageUnavailableException unavailable(Path file, IOException e, Duration time) {
        String reason = String.valueOf(
                e instanceof FileSystemException known && known.getReason() != null
                        ? known.getReason()
                        : e.getMessage());
        return new StorageUnavailableException(
                "storage unavailable: %s cannot be read: %s; tried %d times in %d s; %s"
                        .formatted(file, reason, ATTEMPTS, time.toSeconds(), cure(reason)),
                e);
    }

    private static String cure(String reason) {
        if (reason.contains("Too many open files")) {
            return "raise the limit on open files (ulimit -n) and start again";
        }
        if (reason.contains("Cannot allocate memory")) {
            return "free some memory and start again";
        }
        return "check the disk or the network and start again"
                + " (if the file is lost permanently, move it away: it then counts as damaged)";
    }
}
