package dev.cairn.jmh;

import java.lang.foreign.MemorySegment;

/// The yardstick: encoding and decoding both copy live values over references.
record MemcpyCoder(WorkingSet set) implements Coder {
    private static final byte[] NOTHING = {};

    @Override
    public int blocks() {
        return set.blocks();
    }

    @Override
    public void reset() {
        set.resetReference();
    }

    @Override
    public int encode(int block) {
        set.reference(block).copyFrom(set.live(block));
        return WorkingSet.blockBytes();
    }

    @Override
    public byte[] encoded() {
        return NOTHING;
    }

    @Override
    public void decode(int block, byte[] encoded) {
        set.reference(block).copyFrom(set.live(block));
    }

    @Override
    public MemorySegment source() {
        return set.live();
    }

    @Override
    public MemorySegment restored() {
        return set.reference();
    }

    @Override
    public void close() {
        set.close();
    }
}
