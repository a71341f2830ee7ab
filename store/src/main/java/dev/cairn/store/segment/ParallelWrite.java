package dev.cairn.store.segment;

import dev.cairn.codec.Crc32c;
import dev.cairn.codec.Frame;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Encodes the blocks of some tensors on several threads, of which the caller's is one, and appends them in order, on
/// the caller's. Whoever is free takes the next block that nobody has taken; only a few may be ahead of what is
/// appended, so memory is bounded whatever the size of the state. The first error stops all and is thrown; when this
/// returns or throws, no thread is at work.
final class ParallelWrite {
    /// A thread for fewer blocks would cost more than it saves.
    private static final int LEAST_BLOCKS = 8;

    /// Blocks that each thread may be ahead: while one is being written, the others go on.
    private static final int AHEAD = 4;

    private final List<TensorSource> tensors;
    private final long[] ends;
    private final long blocks;
    private final Appender appender;
    private final Slot[] slots;

    private long taken;
    private long appended;
    private @Nullable Throwable failure;

    /// Takes the frames in order.
    interface Appender {
        void append(TensorSource tensor, Frame frame, int crc) throws IOException;
    }

    /// A block on its way.
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
        var others = new ArrayList<Thread>();
        for (int lane = 1; lane < Math.max(1, slots.length / AHEAD); lane++) {
            int own = lane;
            others.add(Thread.ofPlatform()
                    .name("cairn-encoder-" + lane)
                    .daemon(true)
                    .start(() -> encodeBlocks(own)));
        }
        try {
            appendBlocks();
        } catch (Throwable e) { // Whatever it is, out of memory too: the others must stop, and the caller must hear it.
            fail(e);
        }
        join(others);
        throwFailure();
    }

    /// On the caller's thread: appends what is next, and encodes while that is not ready.
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

    private void encodeBlocks(int lane) {
        try {
            for (long block = takeOrWait(); block >= 0; block = takeOrWait()) {
                encode(block, lane);
            }
        } catch (Throwable e) { // As above.
            fail(e);
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

    /// The first whose blocks end beyond this one.
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

    /// The next block for the caller of this to encode; −1 where there is none, or no room for it.
    private synchronized long take() {
        boolean possible = failure == null && taken < blocks && taken < appended + slots.length;
        return possible ? taken++ : -1;
    }

    /// The same, waiting for room.
    private synchronized long takeOrWait() throws InterruptedException {
        while (failure == null && taken < blocks && taken >= appended + slots.length) {
            wait();
        }
        return take();
    }

    /// False where it never will be.
    private synchronized boolean awaitReady(long block) throws InterruptedException {
        while (failure == null && slot(block).ready != block) {
            wait();
        }
        return failure == null;
    }

    private synchronized void fail(Throwable e) {
        if (failure == null) {
            failure = e;
        }
        notifyAll();
    }

    /// Waits for all, interrupted or not: they read memory that is the caller's again afterwards.
    private void join(List<Thread> threads) {
        boolean interrupted = failure instanceof InterruptedException;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                    fail(e);
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void throwFailure() throws IOException {
        switch (failure) {
            case null -> {}
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case InterruptedException e ->
                throw (IOException) new InterruptedIOException("interrupted while writing a checkpoint").initCause(e);
            case Throwable e -> throw new IllegalStateException(e);
        }
    }
}
