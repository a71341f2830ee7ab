package dev.cairn.cluster.member;

import dev.cairn.engine.group.BrokenGroupException;
import dev.cairn.engine.group.ProcessGroup;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/// A group whose processes are threads of this one.
final class MemoryGroup implements ProcessGroup {
    private final Ring ring;
    private final int rank;
    private final CompletableFuture<Boolean> closed = new CompletableFuture<>();

    private MemoryGroup(Ring ring, int rank) {
        this.ring = ring;
        this.rank = rank;
    }

    /// What the members share.
    static final class Ring {
        private final int size;
        private final double[][] parts;
        private final List<LinkedBlockingQueue<MemorySegment>> inboxes = new ArrayList<>();
        private int here;
        private long meetings;
        private boolean isClosed;

        Ring(int size) {
            this.size = size;
            this.parts = new double[size][];
            for (int i = 0; i < size; i++) {
                inboxes.add(new LinkedBlockingQueue<>());
            }
        }

        MemoryGroup member(int rank) {
            return new MemoryGroup(this, rank);
        }

        private synchronized void meet() {
            long meeting = meetings;
            here++;
            if (here == size) {
                here = 0;
                meetings++;
                notifyAll();
            }
            try {
                while (meeting == meetings && !isClosed) {
                    wait();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            if (meeting == meetings) {
                throw new BrokenGroupException("a member is gone", new IllegalStateException());
            }
        }

        private synchronized void close() {
            isClosed = true;
            notifyAll();
        }
    }

    CompletableFuture<Boolean> closed() {
        return closed;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return ring.size;
    }

    @Override
    public void sumFloats(MemorySegment floats) {
        int count = (int) (floats.byteSize() / Float.BYTES);
        double[] mine = new double[count];
        for (int i = 0; i < count; i++) {
            mine[i] = floats.getAtIndex(ValueLayout.JAVA_FLOAT, i);
        }
        double[] sum = sum(mine);
        for (int i = 0; i < count; i++) {
            floats.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) sum[i]);
        }
    }

    @Override
    public void sumDoubles(MemorySegment doubles) {
        double[] sum = sum(doubles.toArray(ValueLayout.JAVA_DOUBLE));
        MemorySegment.copy(sum, 0, doubles, ValueLayout.JAVA_DOUBLE, 0, sum.length);
    }

    private double[] sum(double[] mine) {
        ring.parts[rank] = mine;
        ring.meet();
        double[] sum = new double[mine.length];
        for (double[] part : ring.parts) {
            for (int i = 0; i < sum.length; i++) {
                sum[i] += part[i];
            }
        }
        ring.meet();
        return sum;
    }

    @Override
    public void send(MemorySegment bytes, int to) {
        ring.inboxes.get(to).add(MemorySegment.ofArray(bytes.toArray(ValueLayout.JAVA_BYTE)));
    }

    @Override
    public void receive(MemorySegment bytes, int from) {
        try {
            bytes.copyFrom(ring.inboxes.get(rank).take());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        closed.complete(true);
        ring.close();
    }
}
