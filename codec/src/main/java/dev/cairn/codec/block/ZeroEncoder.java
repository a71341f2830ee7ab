package dev.cairn.codec.block;

import dev.cairn.codec.Crc32c;
import dev.cairn.codec.Distortion;
import dev.cairn.codec.Frame;
import java.lang.foreign.MemorySegment;

/// Drops a tensor: a reader gets zeros. For state that rebuilds itself within a few steps, such as momentum.
public final class ZeroEncoder implements BlockEncoder {
    @Override
    public void encode(MemorySegment u, MemorySegment r, Frame frame) {
        r.fill((byte) 0);
        frame.clear();
        frame.putByte(BlockMethod.ZERO.code());
        frame.putInt(Crc32c.of(r));
    }

    @Override
    public boolean needsReference() {
        return false;
    }

    @Override
    public Distortion takeDistortion() {
        return new Distortion();
    }
}
