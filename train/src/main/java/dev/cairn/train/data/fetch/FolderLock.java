package dev.cairn.train.data.fetch;

import dev.cairn.store.Clock;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A lock with one holder at a time among all processes of the machine and all threads of this process. It is an
/// operating-system lock, so it ends with its holder, however that ends. The file stays and has no meaning.
final class FolderLock implements AutoCloseable {
    private static final long POLL_MILLIS = 50;

    private final FileChannel channel;

    private FolderLock(FileChannel channel) {
        this.channel = channel;
    }

    /// Waits for the lock.
    ///
    /// @param waiting called once if another process or thread holds it
    static FolderLock take(Path file, Duration longest, Consumer<Path> waiting) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            long start = Clock.system().nanos();
            boolean told = false;
            while (tryLock(channel) == null) {
                if (!told) {
                    waiting.accept(file);
                    told = true;
                }
                if (Clock.system().nanos() - start > longest.toNanos()) {
                    throw new DataUnavailableException(
                            "another process has held %s for %d s".formatted(file, longest.toSeconds()),
                            "end it",
                            "another folder",
                            null);
                }
                Thread.sleep(POLL_MILLIS);
            }
            return new FolderLock(channel);
        } catch (InterruptedException e) {
            channel.close();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for " + file);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /// Null if another thread or process holds it.
    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    /// Releases the lock.
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
