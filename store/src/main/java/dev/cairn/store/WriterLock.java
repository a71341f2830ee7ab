package dev.cairn.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The right to write into a run, held as an operating-system lock on `writer.lock`: it is free the instant its holder
/// dies, however it dies. What the file says is for people; only the lock counts, so a copied run is never locked.
public final class WriterLock implements WriterRight {
    private static final String FILE = "writer.lock";
    private static final int LONGEST_HOLDER = 512;

    /// Runs locked by this process. Needed because the system's lock belongs to the process, and closing any channel on
    /// the file would set it free.
    private static final Set<Path> OURS = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final FileChannel channel;

    private final @Nullable Object fileKey;

    private WriterLock(Path file, FileChannel channel) throws IOException {
        this.file = file;
        this.channel = channel;
        this.fileKey = key(file);
    }

    /// Throws where the lock file is no longer the one that was locked: then another process may hold the run.
    @Override
    public void check() throws IOException {
        Object now;
        try {
            now = key(file);
        } catch (NoSuchFileException removed) {
            now = null;
        }
        if (now == null || !now.equals(fileKey)) {
            throw new StoreLockedException(
                    String.valueOf(file.getParent()), "nobody, or somebody else: " + FILE + " was removed or replaced");
        }
    }

    private static @Nullable Object key(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    /// Takes the lock of the run in this existing folder, or throws [StoreLockedException] with who holds it.
    public static WriterLock take(Path run, Instant now) throws IOException {
        return take(run, WriterClaim.usual(), now);
    }

    static WriterLock take(Path run, WriterClaim claim) throws IOException {
        return take(run, claim, claim.clock().now());
    }

    private static WriterLock take(Path run, WriterClaim claim, Instant now) throws IOException {
        Path file = run.toRealPath().resolve(FILE);
        if (!OURS.add(file)) {
            throw new StoreLockedException(run.toString(), "this process");
        }
        try {
            return lock(run, file, claim, now);
        } catch (IOException | RuntimeException e) {
            OURS.remove(file);
            throw e;
        }
    }

    // The channel is handed to the WriterLock, or closed on every other way out.
    @SuppressWarnings("resource")
    private static WriterLock lock(Path run, Path file, WriterClaim claim, Instant now) throws IOException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw locked(run, channel, claim.urgency());
            }
            sign(channel, now);
            return new WriterLock(file, channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static StoreLockedException locked(Path run, FileChannel channel, WriterClaim.Urgency urgency)
            throws IOException {
        return switch (urgency) {
            case PATIENT -> new StoreLockedException(run.toString(), holder(channel));
            case AT_ONCE ->
                new StoreLockedException(
                        run.toString(),
                        holder(channel) + ", which is alive",
                        "--take-over takes no lock from a live process: stop that process first");
        };
    }

    /// Throws [StoreLockedException] where a process holds the lock; changes nothing.
    static void checkFree(Path run) throws IOException {
        Path file = run.toRealPath().resolve(FILE);
        if (OURS.contains(file)) {
            throw new StoreLockedException(run.toString(), "this process");
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            try (FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
                if (lock == null) {
                    throw locked(run, channel, WriterClaim.Urgency.AT_ONCE);
                }
            }
        } catch (NoSuchFileException neverLocked) {
            // Nobody goes by the lock.
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
        OURS.remove(file);
    }

    /// For people only, so a full disk does not keep anyone from a run that is finished.
    private static void sign(FileChannel channel, Instant now) {
        try {
            channel.truncate(0);
            channel.write(UTF_8.encode(Holder.text(now) + "\n"));
        } catch (IOException unsigned) {
            // The lock holds without it.
        }
    }

    private static String holder(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(LONGEST_HOLDER);
        channel.read(text, 0);
        String holder = UTF_8.decode(text.flip()).toString().strip().replaceAll("\\p{Cntrl}", "?");
        return holder.isEmpty() ? "another process" : holder;
    }
}
