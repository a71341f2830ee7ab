package dev.cairn.jmh;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.ElementType;
import dev.cairn.codec.Frame;
import dev.cairn.codec.block.BlockDecoder;
import dev.cairn.codec.block.BlockEncoder;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Cairn's frames, as saving makes and restoring applies them, checksums of the values included.
final class CairnCoder implements Coder {
    private final WorkingSet set;
    private final BlockEncoder encoder;
    private final BlockDecoder decoder = new BlockDecoder();
    private final Frame frame = new Frame();

    CairnCoder(WorkingSet set, BlockEncoder encoder) {
        this.set = set;
        this.encoder = encoder;
    }

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
        encoder.encode(set.live(block), set.reference(block), frame);
        return frame.size();
    }

    @Override
    public byte[] encoded() {
        return frame.contents().toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    public void decode(int block, byte[] encoded) throws CorruptBlockException {
        decoder.apply(encoded, 0, encoded.length, ElementType.FLOAT32, set.reference(block));
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
