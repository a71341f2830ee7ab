package dev.cairn.store.spare;

import dev.cairn.store.Clock;
import dev.cairn.store.StorageUnavailableException;
import dev.cairn.store.StoreException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.ForwardingBlobStore;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Storage whose reads take a limited time. A read that takes longer goes on in a thread of its own, and nobody waits
/// for it. After a read that failed or took too long, all reads fail at once for some minutes: a caller that needs many
/// of them waits once. Thread-safe.
final class BoundedReads extends ForwardingBlobStore {
    private static final Duration REST = Duration.ofMinutes(5);

    private final Duration longest;
    private final Clock clock;
    private volatile @Nullable Outage outage;

    private record Outage(IOException reason, long sinceNanos) {}

    /// @param longest how long a read may take
    BoundedReads(BlobStore below, Duration longest, Clock clock) {
        super(below);
        this.longest = longest;
        this.clock = clock;
    }

    /// Why reads fail now; empty if they may succeed.
    Optional<IOException> outage() {
        Outage known = outage;
        return known == null || clock.nanos() - known.sinceNanos() > REST.toNanos()
                ? Optional.empty()
                : Optional.of(known.reason());
    }

    private <T> T bounded(Callable<T> read) throws IOException {
        Optional<IOException> known = outage();
        if (known.isPresent()) {
            throw known.get();
        }
        var task = new FutureTask<>(read);
        Thread.ofPlatform().name("cairn-spare").daemon(true).start(task);
        try {
            return task.get(longest.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            task.cancel(true);
            throw noted(new StorageUnavailableException(
                    "storage unavailable: no answer within %d s; check the disk or the network"
                            .formatted(longest.toSeconds()),
                    e));
        } catch (InterruptedException e) {
            task.cancel(true);
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted while reading").initCause(e);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        }
    }

    /// An answer of the storage, such as that it has no such file, does not mean that it is out of order.
    private IOException failure(@Nullable Throwable cause) {
        return switch (cause) {
            case StoreException answer -> answer;
            case NoSuchFileException answer -> answer;
            case EOFException answer -> answer;
            case IOException failed -> noted(failed);
            case RuntimeException refused -> throw refused;
            case null, default -> throw new IllegalStateException(cause);
        };
    }

    private IOException noted(IOException reason) {
        outage = new Outage(reason, clock.nanos());
        return reason;
    }

    @Override
    public BlobReader read(String name) throws IOException {
        BlobReader reader = bounded(() -> super.read(name));
        return new ForwardingReader(reader) {
            @Override
            public long sizeBytes() throws IOException {
                return bounded(super::sizeBytes);
            }

            // The bytes are copied: a read that nobody waits for any more must not change the caller's memory.
            @Override
            public void read(long offset, MemorySegment target) throws IOException {
                MemorySegment own = MemorySegment.ofArray(new byte[Math.toIntExact(target.byteSize())]);
                bounded(() -> {
                    reader.read(offset, own);
                    return own;
                });
                target.copyFrom(own);
            }
        };
    }

    @Override
    public byte[] readAll(String name, long most) throws IOException {
        return bounded(() -> super.readAll(name, most));
    }

    @Override
    public List<String> list(String folder) throws IOException {
        return bounded(() -> super.list(folder));
    }

    @Override
    public List<String> listAll() throws IOException {
        return bounded(super::listAll);
    }
}
