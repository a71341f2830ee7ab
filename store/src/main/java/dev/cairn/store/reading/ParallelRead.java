package dev.cairn.store.reading;

import dev.cairn.store.segment.Workspace;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Reads the blocks of several ranges on several threads, including the caller's. A free thread takes the next block.
/// The first error stops all threads and is thrown. When this returns or throws, no thread is running.
public final class ParallelRead {
    /// For fewer blocks, a thread costs more than it saves.
    private static final int LEAST_BLOCKS = 8;

    private final List<BlockRange> ranges;
    private final long[] ends;
    private final AtomicLong next = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    /// Prepares to read all blocks of these ranges.
    public ParallelRead(List<? extends BlockRange> ranges) {
        this.ranges = List.copyOf(ranges);
        this.ends = new long[ranges.size()];
        long blocks = 0;
        for (int i = 0; i < ends.length; i++) {
            blocks += ranges.get(i).blocks();
            ends[i] = blocks;
        }
    }

    /// Reads all blocks. Returns when no thread is running.
    ///
    /// @param most the maximum number of threads, including the caller's
    /// @param own the caller's workspace; the other threads create their own
    public void run(int most, Workspace own) throws IOException {
        long blocks = ends.length == 0 ? 0 : ends[ends.length - 1];
        long wanted = Math.min(most, blocks / LEAST_BLOCKS);
        var others = new ArrayList<Thread>();
        for (int i = 1; i < wanted; i++) {
            others.add(Thread.ofPlatform()
                    .name("cairn-reader-" + i)
                    .daemon(true)
                    .unstarted(() -> readBlocks(new Workspace())));
        }
        if (others.stream().allMatch(this::mayWrite)) {
            others.forEach(Thread::start);
        } else {
            others.clear();
        }
        readBlocks(own);
        join(others);
        throwFailure();
    }

    private boolean mayWrite(Thread thread) {
        return ranges.stream().allMatch(range -> range.isAccessibleBy(thread));
    }

    private void readBlocks(Workspace workspace) {
        try {
            int range = 0;
            while (failure.get() == null) {
                long block = next.getAndIncrement();
                while (range < ends.length && ends[range] <= block) {
                    range++;
                }
                if (range == ends.length) {
                    return;
                }
                ranges.get(range).read(block - (range == 0 ? 0 : ends[range - 1]), workspace);
            }
        } catch (Throwable e) { // Any error, even out of memory, must stop the others and reach the caller.
            failure.compareAndSet(null, e);
        }
    }

    /// Waits for all threads, even if interrupted: they write to memory that belongs to the caller again
    /// afterwards.
    private void join(List<Thread> threads) {
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                    failure.compareAndSet(null, new InterruptedIOException("interrupted while reading a checkpoint"));
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void throwFailure() throws IOException {
        switch (failure.get()) {
            case null -> {}
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }
}
