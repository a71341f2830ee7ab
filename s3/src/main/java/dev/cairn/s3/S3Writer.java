package dev.cairn.s3;

import dev.cairn.store.blob.BlobStore.BlobWriter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// Writes one blob. A small blob is sent in one request when it is finished. Larger blobs are sent in parts while they
/// are written, two parts at a time in the background. Takes the memory of at most three parts.
final class S3Writer implements BlobWriter {
    private static final int PARTS_ON_THEIR_WAY = 2;

    /// The operations of the store that a writer needs.
    interface Target {
        Upload begin() throws IOException;

        void create(Payload payload) throws IOException;
    }

    private final Target target;
    private final String name;
    private final PartSizes sizes;
    private final ExecutorService threads;
    private final Deque<Sending> sendings = new ArrayDeque<>();

    private Buffer buffer;
    private @Nullable Upload upload;
    private int parts;
    private boolean finished;

    S3Writer(Target target, String name, PartSizes sizes, ExecutorService threads) {
        this.target = target;
        this.name = name;
        this.sizes = sizes;
        this.threads = threads;
        this.buffer = new Buffer(sizes.bytes(1));
    }

    /// A part that is being sent, and its memory.
    private record Sending(Future<?> done, Buffer buffer) {}

    /// A part that is being filled. Memory is allocated only when there are bytes to hold, and it grows with
    /// them.
    private static final class Buffer {
        private static final long FIRST_BYTES = 64 << 10;

        private final long most;
        private Arena arena = Arena.ofShared();
        private MemorySegment memory = MemorySegment.NULL;
        private long filled;

        Buffer(long most) {
            this.most = most;
        }

        /// Appends bytes and returns how many of them fit.
        long append(MemorySegment bytes) {
            long count = Math.min(bytes.byteSize(), most - filled);
            if (filled + count > memory.byteSize()) {
                grow(filled + count);
            }
            MemorySegment.copy(bytes, 0, memory, filled, count);
            filled += count;
            return count;
        }

        private void grow(long needed) {
            Arena larger = Arena.ofShared();
            long size = Math.min(most, Math.max(FIRST_BYTES, 4 * needed));
            MemorySegment grown = larger.allocate(size, 64);
            MemorySegment.copy(memory, 0, grown, 0, filled);
            arena.close();
            arena = larger;
            memory = grown;
        }

        boolean isFull() {
            return filled == most;
        }

        Payload payload() {
            return new Payload(memory.asSlice(0, filled));
        }

        void close() {
            arena.close();
        }
    }

    @Override
    public void append(MemorySegment bytes) throws IOException {
        for (long offset = 0; offset < bytes.byteSize(); ) {
            if (buffer.isFull()) {
                send();
            }
            offset += buffer.append(bytes.asSlice(offset));
        }
    }

    private void send() throws IOException {
        Upload begun = upload;
        if (begun == null) {
            begun = target.begin();
            upload = begun;
        }
        int number = ++parts;
        if (number > PartSizes.MOST_PARTS) {
            throw new IOException("%s is too large for object storage: parts=%d".formatted(name, number));
        }
        if (sendings.size() == PARTS_ON_THEIR_WAY) {
            await(sendings.removeFirst());
        }
        Buffer full = buffer;
        Upload to = begun;
        sendings.add(new Sending(
                threads.submit(() -> {
                    to.send(number, full.payload());
                    return null;
                }),
                full));
        buffer = new Buffer(sizes.bytes(number + 1));
    }

    private static void await(Sending sending) throws IOException {
        try {
            sending.done().get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failed) {
                throw failed;
            }
            throw new IllegalStateException("part not sent", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a part was sent");
        } finally {
            settle(sending);
        }
    }

    /// Frees the part's memory when no thread reads it any more.
    private static void settle(Sending sending) {
        boolean interrupted = false;
        while (true) {
            try {
                sending.done().get();
                break;
            } catch (ExecutionException | CancellationException over) {
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        sending.buffer().close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void finish() throws IOException {
        if (upload == null) {
            target.create(buffer.payload());
        } else {
            send();
            while (!sendings.isEmpty()) {
                await(sendings.removeFirst());
            }
            upload.complete();
        }
        finished = true;
    }

    /// Returns when no part is being sent any more.
    @Override
    public void close() {
        while (!sendings.isEmpty()) {
            settle(sendings.removeFirst());
        }
        buffer.close();
        buffer = new Buffer(0);
        Upload begun = upload;
        if (begun != null && !finished) {
            begun.abort();
            finished = true;
        }
    }
}
