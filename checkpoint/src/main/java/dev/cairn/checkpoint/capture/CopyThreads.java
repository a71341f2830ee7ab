package dev.cairn.checkpoint.capture;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Copies memory on a bounded number of threads, piece by piece: whoever is free takes the next, so that a
/// thread that lost its core to the training holds up no more than one piece. Threads exist from the first
/// copy on.
public final class CopyThreads implements AutoCloseable {
    /// Long enough that claiming a piece costs nothing, short enough that a copy never holds up the virtual
    /// machine.
    static final long PIECE_BYTES = 4L << 20;

    /// Smaller copies are made by the thread that asks for them: waking another would take longer.
    private static final long WORTH_A_THREAD = 1L << 20;

    private final int count;
    private final ExecutorService threads;

    /// @param count the most threads that copy at a time, one that waits for its copy included
    CopyThreads(int count) {
        this.count = count;
        this.threads = Executors.newFixedThreadPool(
                count,
                Thread.ofPlatform().name("cairn-capture-", 1).daemon(true).factory());
    }

    /// As many threads as wanted, but no more than there are cores.
    public static CopyThreads upTo(int wanted) {
        return new CopyThreads(Math.min(wanted, Runtime.getRuntime().availableProcessors()));
    }

    /// Memory to copy and where to, of the same size.
    record Copy(MemorySegment from, MemorySegment to) {
        void make() {
            to.copyFrom(from);
        }
    }

    /// Copies all of it before it returns; the calling thread takes part.
    void copy(List<Copy> copies) {
        var work = new Work(copies);
        var helpers = new ArrayList<CompletableFuture<Void>>();
        if (work.bytes >= WORTH_A_THREAD) {
            for (int i = 1; i < count; i++) {
                helpers.add(CompletableFuture.runAsync(work, threads));
            }
        }
        try {
            work.run();
        } finally {
            // Nobody may write into the copies after this returns, not even when it fails.
            CompletableFuture.allOf(helpers.toArray(CompletableFuture[]::new))
                    .exceptionally(_ -> null)
                    .join();
        }
        helpers.forEach(CompletableFuture::join);
    }

    /// Runs the task, which may call [#copy], on one of the threads.
    <T> CompletableFuture<T> start(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, threads);
    }

    @Override
    public void close() {
        threads.shutdown();
    }

    private static final class Work implements Runnable {
        private final Deque<Copy> left;
        private final long bytes;
        private long offset;

        Work(List<Copy> copies) {
            this.left = new ArrayDeque<>(copies);
            this.bytes =
                    copies.stream().mapToLong(copy -> copy.from().byteSize()).sum();
        }

        @Override
        public void run() {
            for (Copy piece = next(); piece != null; piece = next()) {
                piece.make();
            }
        }

        private synchronized @Nullable Copy next() {
            Copy copy = left.peek();
            if (copy == null) {
                return null;
            }
            long start = offset;
            long length = Math.min(PIECE_BYTES, copy.from().byteSize() - start);
            offset += length;
            if (offset == copy.from().byteSize()) {
                left.remove();
                offset = 0;
            }
            return new Copy(copy.from().asSlice(start, length), copy.to().asSlice(start, length));
        }
    }
}
