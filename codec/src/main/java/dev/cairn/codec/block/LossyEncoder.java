package dev.cairn.codec.block;

import dev.cairn.codec.Crc32c;
import dev.cairn.codec.Distortion;
import dev.cairn.codec.ElementType;
import dev.cairn.codec.Frame;
import dev.cairn.codec.huffman.TableSet;
import dev.cairn.codec.lossy.Quantizer;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Encodes blocks with a quantizer. A block that the quantizer rejects, or that would not be smaller, is stored
/// exactly.
public final class LossyEncoder implements BlockEncoder {
    private final Quantizer quantizer;
    private final ExactEncoder exact;
    private Distortion distortion = new Distortion();

    /// Creates an encoder for blocks that carry their own code tables.
    public LossyEncoder(ElementType type, Quantizer quantizer) {
        this(type, quantizer, null);
    }

    /// Creates an encoder with its own buffers, for one thread.
    ///
    /// @param tables the set to add the code tables of exact blocks to; null if blocks carry their own
    public LossyEncoder(ElementType type, Quantizer quantizer, @Nullable TableSet tables) {
        this.quantizer = quantizer;
        this.exact = new ExactEncoder(type, ExactEncoder.Basis.ALONE, tables);
    }

    @Override
    public void startAt(long element) {
        quantizer.startAt(element);
    }

    @Override
    public void encode(MemorySegment u, MemorySegment r, Frame frame) {
        if (!quantizer.quantize(u, r)) {
            exact.encode(u, r, frame);
            return;
        }
        frame.clear();
        frame.putByte(
                switch (quantizer.kind()) {
                    case TABLE -> BlockMethod.TABLE.code();
                    case LOG_STEPS -> BlockMethod.LOG_STEPS.code();
                    case TABLE_ALONE -> BlockMethod.TABLE_ALONE.code();
                    case PATTERNS -> BlockMethod.PATTERNS.code();
                });
        quantizer.write(frame);
        if (frame.size() > u.byteSize()) {
            exact.encode(u, r, frame);
            return;
        }
        frame.putInt(Crc32c.of(r));
        distortion.add(
                quantizer.deltaSquares(),
                quantizer.errorSquares(),
                quantizer.block().count());
    }

    @Override
    public boolean needsReference() {
        return quantizer.kind() != Quantizer.Kind.TABLE_ALONE;
    }

    @Override
    public Distortion takeDistortion() {
        Distortion taken = distortion;
        distortion = new Distortion();
        return taken;
    }
}
