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

/// What the file system fails to read is read again, with growing pauses: a network comes back, and so do descriptors
/// and memory. After five seconds the storage counts as unavailable, which is no word about what is stored there. What
/// the file system says for certain, such as that there is no such file, it is asked once.
final class ReadPatience {
    static final int ATTEMPTS = 8;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final Clock clock;

    /// @param clock by which it pauses
    ReadPatience(Clock clock) {
        this.clock = clock;
    }

    /// Something that reads, from its beginning each time.
    interface Reading<T> {
        T read() throws IOException;
    }

    /// @param file for people
    /// @throws StorageUnavailableException where it fails again and again
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

    /// Whether it says how things are, not that this cannot be told now.
    private static boolean isCertain(IOException e) {
        return switch (e) {
            case StoreException _, StorageUnavailableException _, InterruptedIOException _, EOFException _ -> true;
            case NoSuchFileException _, NotDirectoryException _, AccessDeniedException _, FileSystemLoopException _ ->
                true;
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
        return "check the disk or the network that it is on and start again"
                + " (where the file is lost for good, move it away: it counts as damaged then)";
    }
}
