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

/// The right to write into a run, held as an operating-system lock on `writer.lock`: it is free the instant its holder
/// dies, however it dies. Who the file names is for people; a copied run is never locked.
///
/// Where the file was removed or replaced, its holder may live still. So who finds no file, or one that does not say
/// that its holders have written to the log, takes the run over by a record, as with a lease. The one before stops.
public final class WriterLock implements WriterRight {
    private static final int LONGEST_TEXT = 1024;

    /// How often a file that others remove meanwhile is looked for again.
    private static final int MOST_ATTEMPTS = 10;

    /// Runs locked by this process. Needed because the system's lock belongs to the process, and closing any channel on
    /// the file would set it free.
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

    /// Throws where the lock file is no longer the one that was locked: then another process may hold the run. The
    /// number of a file that is open is not given to another.
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

    /// What a lock file says since whose beginning the log has a record of one of its holders. A copy of the file says
    /// it of another.
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

    /// Takes the lock of the run in this existing folder, or throws [StoreLockedException] with who holds it.
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
                    run.toString(), "somebody who removes " + RunFiles.LOCK + " again and again");
        } catch (IOException | RuntimeException e) {
            OURS.remove(file);
            throw e;
        }
    }

    /// Empty where the file was removed, made or replaced meanwhile.
    // The channel is handed to the WriterLock, or closed on every other way out.
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
            var takeOver = new TakeOver(now, "a process whose " + RunFiles.LOCK + " is gone, if it lives", holder);
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

    /// Never what a link leads to: a run may come from somebody else.
    private static FileChannel open(Path file, OpenOption... options) throws IOException {
        try {
            if (!attributes(file).isRegularFile()) {
                throw new FileSystemException(
                        file.toString(),
                        null,
                        "not a file but a link, a folder or a pipe, which a lock file never is; remove it");
            }
        } catch (NoSuchFileException absent) {
            // To be made now, or nobody's.
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

    /// Throws [StoreLockedException] where a process holds the lock; changes nothing.
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
            // Nobody goes by the lock.
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

    /// Without it the lock holds all the same, and the next one takes the run over by a record: a full disk does not
    /// keep anyone from a run that is finished.
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
