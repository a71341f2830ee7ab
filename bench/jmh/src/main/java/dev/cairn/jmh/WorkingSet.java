package dev.cairn.jmh;

import dev.cairn.codec.ElementType;
import dev.cairn.codec.block.BlockEncoder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Live float32 values, their parent, and a reference to work on, cut into blocks. Larger than a cache, so that a pass
/// over all blocks streams through memory as a checkpoint does.
public final class WorkingSet implements AutoCloseable {
    private static final int BLOCK = BlockEncoder.blockBytes(ElementType.FLOAT32);

    private final Arena arena = Arena.ofShared();
    private final MemorySegment live;
    private final MemorySegment parent;
    private final MemorySegment reference;

    private WorkingSet(int megabytes) {
        long bytes = (long) megabytes << 20;
        this.live = arena.allocate(bytes, 64);
        this.parent = arena.allocate(bytes, 64);
        this.reference = arena.allocate(bytes, 64);
    }

    /// Weights, ten steps of Adam apart.
    public static WorkingSet ofWeights(int megabytes) {
        var set = new WorkingSet(megabytes);
        new SyntheticTraining().fillWeights(set.live, set.parent);
        set.resetReference();
        return set;
    }

    /// Adam's second moments; their parent is what a reader of lossy checkpoints holds.
    static WorkingSet ofSecondMoments(int megabytes) {
        var set = new WorkingSet(megabytes);
        new SyntheticTraining().fillSecondMoments(set.live, set.parent);
        set.resetReference();
        return set;
    }

    /// Makes the reference what the parent is, as a saver or a reader finds it.
    public void resetReference() {
        reference.copyFrom(parent);
    }

    public int blocks() {
        return (int) (live.byteSize() / BLOCK);
    }

    public static int blockBytes() {
        return BLOCK;
    }

    public MemorySegment live(int block) {
        return block(live, block);
    }

    public MemorySegment reference(int block) {
        return block(reference, block);
    }

    MemorySegment live() {
        return live;
    }

    MemorySegment parent() {
        return parent;
    }

    MemorySegment reference() {
        return reference;
    }

    /// The root mean square of the changes since the parent.
    public double rmsDelta() {
        double squares = 0;
        long count = live.byteSize() / Float.BYTES;
        for (long i = 0; i < count; i++) {
            double delta =
                    (double) live.getAtIndex(ValueLayout.JAVA_FLOAT, i) - parent.getAtIndex(ValueLayout.JAVA_FLOAT, i);
            squares += delta * delta;
        }
        return Math.sqrt(squares / count);
    }

    @Override
    public void close() {
        arena.close();
    }

    private static MemorySegment block(MemorySegment segment, int block) {
        return segment.asSlice((long) block * BLOCK, BLOCK);
    }
}
