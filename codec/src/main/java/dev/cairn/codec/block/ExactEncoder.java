package dev.cairn.codec.block;

import dev.cairn.codec.Crc32c;
import dev.cairn.codec.Distortion;
import dev.cairn.codec.ElementType;
import dev.cairn.codec.Frame;
import dev.cairn.codec.huffman.TableSet;
import dev.cairn.codec.lossless.DifferenceCodec;
import dev.cairn.codec.lossless.ScaleCodec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// Encodes blocks exactly: raw, compressed alone, or compressed against the reference. A frame is never larger than the
/// raw values plus five bytes.
public final class ExactEncoder implements BlockEncoder {
    /// What the frames may depend on.
    public enum Basis {
        /// Nothing, and values are not compressed.
        RAW,
        /// Nothing: each block can be read by itself.
        ALONE,
        /// The reference.
        REFERENCE
    }

    private final ElementType type;
    private final Basis basis;
    private final LosslessCodecs lossless;
    private Distortion distortion = new Distortion();

    /// Creates an encoder for blocks that carry their own code tables.
    public ExactEncoder(ElementType type, Basis basis) {
        this(type, basis, null);
    }

    /// Creates an encoder with its own buffers, for one thread.
    ///
    /// @param tables the set to add code tables to; null if blocks carry their own
    public ExactEncoder(ElementType type, Basis basis, @Nullable TableSet tables) {
        this.lossless = new LosslessCodecs(tables);
        this.type = type;
        this.basis = basis;
    }

    @Override
    public void encode(MemorySegment u, MemorySegment r, Frame frame) {
        int valuesCrc = Crc32c.of(u);
        frame.clear();
        switch (basis) {
            case RAW -> {
                putRaw(u, frame);
                // If no reference is kept, r is the live memory itself, which must not be written.
                if (!r.equals(u)) {
                    r.copyFrom(u);
                }
            }
            case ALONE -> {
                encodeAlone(u, frame);
                r.copyFrom(u);
            }
            case REFERENCE -> encodeAgainst(u, r, frame);
        }
        if (frame.size() > u.byteSize()) {
            frame.clear();
            putRaw(u, frame);
        }
        frame.putInt(valuesCrc);
        distortion.add(0, 0, u.byteSize() / type.sizeBytes());
    }

    @Override
    public boolean needsReference() {
        return basis == Basis.REFERENCE;
    }

    @Override
    public Distortion takeDistortion() {
        Distortion taken = distortion;
        distortion = new Distortion();
        return taken;
    }

    /// Whether all bits are 0: the first byte is 0, and every other byte equals the one before it.
    private static boolean isZero(MemorySegment u) {
        long last = u.byteSize() - 1;
        return u.get(ValueLayout.JAVA_BYTE, 0) == 0 && u.asSlice(0, last).mismatch(u.asSlice(1, last)) == -1;
    }

    private static void putRaw(MemorySegment u, Frame frame) {
        frame.putByte(BlockMethod.RAW.code());
        frame.putAll(u);
    }

    private void encodeAlone(MemorySegment u, Frame frame) {
        if (isZero(u)) {
            frame.putByte(BlockMethod.ZERO.code());
            return;
        }
        frame.putByte(BlockMethod.LOSSLESS.code());
        lossless.planes().encodeAlone(u, type.sizeBytes(), type.isFloating(), frame);
    }

    /// Also makes `r` the same as `u`.
    private void encodeAgainst(MemorySegment u, MemorySegment r, Frame frame) {
        if (u.mismatch(r) == -1) {
            frame.putByte(BlockMethod.SAME.code());
            return;
        }
        if (isZero(u)) {
            frame.putByte(BlockMethod.ZERO.code());
            r.copyFrom(u);
            return;
        }
        int count = (int) (u.byteSize() / type.sizeBytes());
        if (type == ElementType.FLOAT32 && ScaleCodec.suits(u, r, count)) {
            frame.putByte(BlockMethod.LOSSLESS_SCALES.code());
            lossless.scales().encode(u, r, count, frame);
            r.copyFrom(u);
            return;
        }
        if (type == ElementType.FLOAT32 && count >= DifferenceCodec.LEAST_ELEMENTS) {
            frame.putByte(BlockMethod.LOSSLESS_LANES.code());
            lossless.differences().encode(u, r, count, frame);
            return;
        }
        frame.putByte(BlockMethod.LOSSLESS_DELTA.code());
        if (type != ElementType.FLOAT32) {
            lossless.planes().encodeDelta(u, r, type.sizeBytes(), frame);
        } else if (!lossless.magnitudes().encode(u, r, count, frame)) {
            frame.clear();
            encodeAlone(u, frame);
        }
        r.copyFrom(u);
    }
}
