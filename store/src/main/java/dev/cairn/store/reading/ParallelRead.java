package dev.cairn.store.reading;

import dev.cairn.store.segment.Workspace;
import dev.cairn.store.threads.Lanes;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// Reads the blocks of several ranges on several threads, including the caller's. A free thread takes the next block.
/// The first error stops all threads and is thrown. When this returns or throws, no thread is running.
public final class ParallelRead {
    /// For fewer blocks, a thread costs more than it saves.
    private static final int LEAST_BLOCKS = 8;

    private final List<BlockRange> ranges;
    private final long[] ends;
    private final AtomicLong next = new AtomicLong();
    private final Lanes lanes = new Lanes("cairn-reader", "reading a checkpoint");

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
        lanes.run((int) wanted, this::mayWrite, lane -> readBlocks(lane == 0 ? own : new Workspace()));
    }

    private boolean mayWrite(Thread thread) {
        return ranges.stream().allMatch(range -> range.isAccessibleBy(thread));
    }

    private void readBlocks(Workspace workspace) throws IOException {
        int range = 0;
        while (!lanes.hasFailed()) {
            long block = next.getAndIncrement();
            while (range < ends.length && ends[range] <= block) {
                range++;
            }
            if (range == ends.length) {
                return;
            }
            ranges.get(range).read(block - (range == 0 ? 0 : ends[range - 1]), workspace);
        }
    }
}
