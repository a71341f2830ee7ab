package dev.cairn.store.segment;

import dev.cairn.codec.Crc32c;
import dev.cairn.codec.Frame;
import dev.cairn.store.threads.Lanes;
import java.io.IOException;
import java.util.List;

/// Encodes the blocks of some tensors on several threads, including the caller's, and appends them in order on the
/// caller's thread. A free thread takes the next block. Only a few blocks may be ahead of the appended ones, so
/// memory is bounded for any size of the state. The first error stops all threads and is thrown. When this returns or
/// throws, no thread is running.
final class ParallelWrite {
    /// For fewer blocks, a thread costs more than it saves.
    private static final int LEAST_BLOCKS = 8;

    /// The number of blocks that each thread may be ahead: while one block is written, the other threads continue.
    private static final int AHEAD = 4;

    private final List<TensorSource> tensors;
    private final long[] ends;
    private final long blocks;
    private final Appender appender;
    private final Slot[] slots;
    private final Lanes lanes = new Lanes("cairn-encoder", "writing a checkpoint", this::wake);

    private long taken;
    private long appended;

    /// Receives the frames in order.
    interface Appender {
        void append(TensorSource tensor, Frame frame, int crc) throws IOException;
    }

    /// A block that is being encoded.
    private static final class Slot {
        final Frame frame = new Frame();
        int crc;
        long ready = -1;
    }

    ParallelWrite(Contents contents, Appender appender) {
        this.tensors = contents.stored();
        this.appender = appender;
        this.ends = new long[tensors.size()];
        long count = 0;
        for (int i = 0; i < ends.length; i++) {
            count += tensors.get(i).blocks();
            ends[i] = count;
        }
        this.blocks = count;
        int threads = Math.clamp(blocks / LEAST_BLOCKS, 1, contents.lanes());
        this.slots = new Slot[threads == 1 ? 1 : AHEAD * threads];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = new Slot();
        }
    }

    void run() throws IOException {
        lanes.run(Math.max(1, slots.length / AHEAD), lane -> {
            if (lane == 0) {
                appendBlocks();
            } else {
                encodeBlocks(lane);
            }
        });
    }

    /// Runs on the caller's thread: appends the next block, and encodes other blocks while it is not ready.
    private void appendBlocks() throws IOException, InterruptedException {
        for (long block = 0; block < blocks; block++) {
            while (!isReady(block)) {
                long next = take();
                if (next >= 0) {
                    encode(next, 0);
                } else if (!awaitReady(block)) {
                    return;
                }
            }
            Slot slot = slot(block);
            appender.append(tensors.get(tensorOf(block)), slot.frame, slot.crc);
            synchronized (this) {
                appended = block + 1;
                notifyAll();
            }
        }
    }

    private void encodeBlocks(int lane) throws IOException, InterruptedException {
        for (long block = takeOrWait(); block >= 0; block = takeOrWait()) {
            encode(block, lane);
        }
    }

    private void encode(long block, int lane) throws IOException {
        int tensor = tensorOf(block);
        Slot slot = slot(block);
        tensors.get(tensor).encode(block - (tensor == 0 ? 0 : ends[tensor - 1]), lane, slot.frame);
        slot.crc = Crc32c.of(slot.frame.contents());
        synchronized (this) {
            slot.ready = block;
            notifyAll();
        }
    }

    /// The index of the tensor that contains this block.
    private int tensorOf(long block) {
        int low = 0;
        int high = ends.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ends[middle] <= block) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private Slot slot(long block) {
        return slots[(int) (block % slots.length)];
    }

    private synchronized boolean isReady(long block) {
        return slot(block).ready == block;
    }

    /// Takes the next block to encode; −1 if there is none, or no space for it.
    private synchronized long take() {
        boolean possible = !lanes.hasFailed() && taken < blocks && taken < appended + slots.length;
        return possible ? taken++ : -1;
    }

    /// Takes the next block to encode, and waits for space if necessary.
    private synchronized long takeOrWait() throws InterruptedException {
        while (!lanes.hasFailed() && taken < blocks && taken >= appended + slots.length) {
            wait();
        }
        return take();
    }

    /// Waits until the block is encoded. Returns false if it never will be.
    private synchronized boolean awaitReady(long block) throws InterruptedException {
        while (!lanes.hasFailed() && slot(block).ready != block) {
            wait();
        }
        return !lanes.hasFailed();
    }

    private synchronized void wake() {
        notifyAll();
    }
}
