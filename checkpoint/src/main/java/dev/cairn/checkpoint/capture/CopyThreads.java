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

/// Copies memory piece by piece on a limited number of threads. A free thread takes the next piece, so a thread that
/// lost its core to the training delays at most one piece. The threads start with the first copy.
public final class CopyThreads implements AutoCloseable {
    /// Large enough that taking a piece costs almost nothing, small enough that a copy never delays the virtual
    /// machine.
    static final long PIECE_BYTES = 4L << 20;

    /// Smaller copies are made on the calling thread: waking another thread would take longer.
    private static final long WORTH_A_THREAD = 1L << 20;

    private final int count;
    private final ExecutorService threads;

    /// @param count the maximum number of threads that copy at a time, including one that waits for its copy
    CopyThreads(int count) {
        this.count = count;
        this.threads = Executors.newFixedThreadPool(
                count,
                Thread.ofPlatform().name("cairn-capture-", 1).daemon(true).factory());
    }

    /// Creates this many threads, but at most one per core.
    public static CopyThreads upTo(int wanted) {
        return new CopyThreads(Math.min(wanted, Runtime.getRuntime().availableProcessors()));
    }

    /// A source and a target of the same size.
    record Copy(MemorySegment from, MemorySegment to) {
        void make() {
            to.copyFrom(from);
        }
    }

    /// Copies everything before it returns. The calling thread takes part.
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
            // No thread may write to the copies after this returns, even if it fails.
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
