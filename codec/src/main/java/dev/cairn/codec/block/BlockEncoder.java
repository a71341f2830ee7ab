package dev.cairn.codec.block;

import dev.cairn.codec.Distortion;
import dev.cairn.codec.ElementType;
import dev.cairn.codec.Frame;
import dev.cairn.codec.lossy.QuantizedBlock;
import java.lang.foreign.MemorySegment;

/// Encodes blocks one after the other. Each is independent of the others, so several encoders may share a tensor
/// between them; one encoder is for one thread at a time.
public interface BlockEncoder {
    /// The largest block, in bytes of the tensor as it is in memory: small enough to stay in a core's second-level
    /// cache while it goes through all its passes.
    int BLOCK_BYTES = 256 << 10;

    /// How many bytes of a tensor of this type make a block: 65,536 elements, but no more than [#BLOCK_BYTES].
    static int blockBytes(ElementType type) {
        return Math.min(BLOCK_BYTES, QuantizedBlock.MOST_ELEMENTS * type.sizeBytes());
    }

    /// Says where in its tensor the next block begins; for encoders that treat some places differently.
    default void startAt(long element) {}

    /// Writes the frame of a block of live values `u`, and leaves in `r` what a reader of it will hold, bit for bit.
    ///
    /// @param r on entry the reference that a reader will hold before, unless none is needed
    void encode(MemorySegment u, MemorySegment r, Frame frame);

    /// Whether a reader must hold the reference: the frame is part of a delta.
    boolean needsReference();

    /// What was lost since the last call of this method.
    Distortion takeDistortion();
}
