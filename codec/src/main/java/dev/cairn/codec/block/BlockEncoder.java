package dev.cairn.codec.block;

import dev.cairn.codec.Distortion;
import dev.cairn.codec.ElementType;
import dev.cairn.codec.Frame;
import dev.cairn.codec.lossy.kernel.QuantizedBlock;
import java.lang.foreign.MemorySegment;

/// Encodes blocks one after the other. Blocks are independent, so several encoders may share the work on a tensor. Use
/// an encoder on one thread at a time.
public interface BlockEncoder {
    /// The maximum size of a block, in bytes of the tensor in memory. It is small enough to stay in the second-level
    /// cache of a core during all passes.
    int BLOCK_BYTES = 256 << 10;

    /// The bytes in a block of a tensor of this type: 65,536 elements, but at most [#BLOCK_BYTES].
    static int blockBytes(ElementType type) {
        return Math.min(BLOCK_BYTES, QuantizedBlock.MOST_ELEMENTS * type.sizeBytes());
    }

    /// Sets the position of the next block in its tensor, for encoders that treat some positions differently.
    default void startAt(long element) {}

    /// Writes the frame of a block of live values `u`, and sets `r` to the values that a reader will hold, bit for bit.
    ///
    /// @param r on entry, the reference that a reader will hold before, unless none is needed
    void encode(MemorySegment u, MemorySegment r, Frame frame);

    /// Whether a reader needs the reference, because the frame is part of a delta.
    boolean needsReference();

    /// Returns the distortion since the last call of this method.
    Distortion takeDistortion();
}
