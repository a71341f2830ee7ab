package dev.cairn.store.right;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.store.CommitConflictException;
import dev.cairn.store.StoreLockedException;
import dev.cairn.store.blob.FileErrors;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.blob.WritableFolder;
import dev.cairn.store.log.Guard.TakeOver;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The right to write to a run, held as an operating-system lock on `writer.lock`. The lock is free as soon as its
/// holder dies, for whatever reason. The name in the file is for people only; a copied run is never locked.
///
/// If the file was removed or replaced, its holder may still be alive. So a process takes over the run with a record,
/// as with a lease, if it finds no file, or a file that does not say that its holders have written to the log. The
/// previous holder then stops.
public final class WriterLock implements WriterRight {
    private static final int LONGEST_TEXT = 1024;

    /// The maximum number of attempts to open a file that other processes keep removing.
    private static final int MOST_ATTEMPTS = 10;

    /// The runs locked by this process. Needed because the system's lock belongs to the process, and closing any
    /// channel on the file would release it.
    private static final Set<Path> OURS = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final FileChannel channel;
    private final Object key;
    private final String holder;
    private final String mark;
    private final Optional<TakeOver> takeOver;
    private volatile boolean recordDue;
    private volatile boolean lost;

    private WriterLock(
            Path file, FileChannel channel, Object key, String holder, String mark, Optional<TakeOver> takeOver) {
        this.file = file;
        this.channel = channel;
        this.key = key;
        this.holder = holder;
        this.mark = mark;
        this.takeOver = takeOver;
        this.recordDue = takeOver.isPresent();
    }

    /// Throws if the lock file is no longer the file that was locked, because another process may then hold the
    /// run. The inode number of an open file is not reused.
    @Override
    public void check() throws IOException {
        if (!lost && !key.equals(keyOrNull(file))) {
            lost = true;
        }
        if (lost) {
            throw CommitConflictException.lockGone(file.toString());
        }
    }

    @Override
    public boolean isLost() {
        return lost;
    }

    @Override
    public Optional<TakeOver> takeOver() {
        return recordDue ? takeOver : Optional.empty();
    }

    @Override
    public boolean takesOverByAnyRecord() {
        return true;
    }

    @Override
    public void takeOverRecorded() {
        if (recordDue) {
            recordDue = false;
            sign(channel, holder + "\n" + mark);
        }
    }

    /// The line that a lock file contains once the log has a record of one of its holders. In a copy of the file
    /// the line names the inode of the original.
    private static String mark(Path file) throws IOException {
        return "has written to the log, inode=" + Files.getAttribute(file, "unix:ino", LinkOption.NOFOLLOW_LINKS)
                + "\n";
    }

    private static @Nullable Object keyOrNull(Path file) throws IOException {
        try {
            return attributes(file).fileKey();
        } catch (NoSuchFileException removed) {
            return null;
        }
    }

    private static BasicFileAttributes attributes(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    /// Takes the lock of the run in this existing folder.
    ///
    /// @throws StoreLockedException if another process holds it; the message names the holder
    public static WriterLock take(Path run, Instant now) throws IOException {
        WritableFolder.check(run);
        return take(run, WriterClaim.usual(), now);
    }

    static WriterLock take(Path run, WriterClaim claim) throws IOException {
        return take(run, claim, claim.clock().now());
    }

    private static WriterLock take(Path run, WriterClaim claim, Instant now) throws IOException {
        Path file = run.toRealPath().resolve(RunFiles.LOCK);
        if (!OURS.add(file)) {
            throw new StoreLockedException(run.toString(), "this process");
        }
        try {
            for (int attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
                Optional<WriterLock> lock = lock(run, file, claim, now);
                if (lock.isPresent()) {
                    return lock.get();
                }
            }
            throw new StoreLockedException(
                    run.toString(), "a process that removes " + RunFiles.LOCK + " again and again");
        } catch (IOException | RuntimeException e) {
            OURS.remove(file);
            throw e;
        }
    }

    /// Empty if the file was removed, created or replaced in the meantime.
    // The channel is passed to the WriterLock, or closed on every other path.
    @SuppressWarnings("resource")
    private static Optional<WriterLock> lock(Path run, Path file, WriterClaim claim, Instant now) throws IOException {
        Object before = keyOrNull(file);
        FileChannel channel;
        try {
            channel = before == null
                    ? open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)
                    : open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (NoSuchFileException | FileAlreadyExistsException changed) {
            return Optional.empty();
        }
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw locked(run, channel, claim.urgency());
            }
            Object key = keyOrNull(file);
            if (key == null || !key.equals(Objects.requireNonNullElse(before, key))) {
                channel.close();
                return Optional.empty();
            }
            String holder = Holder.text(now);
            String mark = mark(file);
            boolean marked = text(channel).endsWith("\n" + mark);
            sign(channel, holder + "\n" + (marked ? mark : ""));
            var takeOver =
                    new TakeOver(now, "a process whose " + RunFiles.LOCK + " is gone, if it is still alive", holder);
            return Optional.of(new WriterLock(
                    file, channel, key, holder, mark, marked ? Optional.empty() : Optional.of(takeOver)));
        } catch (IOException e) {
            channel.close();
            throw FileErrors.named(file, e);
        } catch (RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /// Does not follow links: the run may come from another person.
    private static FileChannel open(Path file, OpenOption... options) throws IOException {
        try {
            if (!attributes(file).isRegularFile()) {
                throw new FileSystemException(
                        file.toString(),
                        null,
                        "the lock file must be a regular file, not a link, a folder or a pipe; remove it");
            }
        } catch (NoSuchFileException absent) {
            // It does not exist yet, or no process holds it.
        }
        return FileChannel.open(
                file,
                Stream.concat(Stream.of(options), Stream.of(LinkOption.NOFOLLOW_LINKS))
                        .collect(Collectors.toSet()));
    }

    private static StoreLockedException locked(Path run, FileChannel channel, WriterClaim.Urgency urgency)
            throws IOException {
        return switch (urgency) {
            case PATIENT -> new StoreLockedException(run.toString(), holder(channel));
            case AT_ONCE ->
                new StoreLockedException(
                        run.toString(), holder(channel) + ", which is alive", StoreLockedException.Cure.STOP_HOLDER);
        };
    }

    /// Throws [StoreLockedException] if a process holds the lock. Changes nothing.
    static void checkFree(Path run) throws IOException {
        Path file = run.toRealPath().resolve(RunFiles.LOCK);
        if (OURS.contains(file)) {
            throw new StoreLockedException(run.toString(), "this process");
        }
        try (FileChannel channel = open(file, StandardOpenOption.READ)) {
            try (FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
                if (lock == null) {
                    throw locked(run, channel, WriterClaim.Urgency.AT_ONCE);
                }
            }
        } catch (NoSuchFileException neverLocked) {
            // No process uses the lock.
        }
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } catch (IOException e) {
            throw FileErrors.named(file, e);
        } finally {
            OURS.remove(file);
        }
    }

    /// Writes the text if possible. Without it the lock is still valid, and the next writer takes over the run with
    /// a record: a full disk does not block access to a run that has finished.
    private static void sign(FileChannel channel, String text) {
        try {
            ByteBuffer bytes = UTF_8.encode(text);
            channel.truncate(channel.write(bytes, 0));
        } catch (IOException unsigned) {
            // As above.
        }
    }

    private static String text(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(LONGEST_TEXT);
        channel.read(text, 0);
        return UTF_8.decode(text.flip()).toString();
    }

    private static String holder(FileChannel channel) throws IOException {
        String holder = text(channel).lines().findFirst().orElse("").strip().replaceAll("\\p{Cntrl}", "?");
        return holder.isEmpty() ? "another process" : holder;
    }
}
