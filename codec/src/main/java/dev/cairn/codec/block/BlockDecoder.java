package dev.cairn.codec.block;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.Crc32c;
import dev.cairn.codec.ElementType;
import dev.cairn.codec.FrameReader;
import dev.cairn.codec.huffman.TableSet;
import dev.cairn.codec.lossy.QuantizedReader;
import dev.cairn.codec.sparse.SparseBlock;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Applies frames to references: the whole of reading, for every method. Not thread-safe; its buffers are reused.
///
/// After the last frame the values are compared with the checksum that the writer took of its own
/// reference: a decoder that computes something else, on whatever machine, is caught and not believed.
public final class BlockDecoder {
    private static final int CRC_BYTES = 4;

    private final TableSet tables = TableSet.empty();
    private final LosslessCodecs lossless = new LosslessCodecs(tables);
    private @Nullable QuantizedReader quantized;
    private @Nullable SparseBlock sparse;

    /// The tables that frames name from now on.
    public void use(TableSet set) {
        tables.become(set);
    }

    /// Whether the values come from these bytes alone: a reader needs no reference, and no frame before this one.
    ///
    /// @param bytes holds the frame from `from` to `to`
    public static boolean standsAlone(byte[] bytes, int from, int to) {
        return to > from && BlockMethod.standsAlone(bytes[from] & 0xff);
    }

    /// Turns the reference, a block of this type, into what the frame's writer held, and compares the two.
    ///
    /// @param bytes holds the frame from `from` to `to`
    /// @throws CorruptBlockException where the frame is not one; then `r` may hold anything
    public void apply(byte[] bytes, int from, int to, ElementType type, MemorySegment r) throws CorruptBlockException {
        advance(bytes, from, to, type, r);
        int expected = new FrameReader(bytes, to - CRC_BYTES, to).getInt();
        int actual = Crc32c.of(r);
        if (expected != actual) {
            throw new CorruptBlockException(
                    to - from - CRC_BYTES,
                    "reconstructed values: expected crc32c=%s, actual crc32c=%s"
                            .formatted(Crc32c.text(expected), Crc32c.text(actual)));
        }
    }

    /// Turns the reference into what the frame's writer held, without the comparison: for a frame that others follow,
    /// the last of which is compared and so speaks for all.
    public void advance(byte[] bytes, int from, int to, ElementType type, MemorySegment r)
            throws CorruptBlockException {
        if (to - from < 1 + CRC_BYTES) {
            throw new CorruptBlockException(0, "frame of %d bytes".formatted(to - from));
        }
        var in = new FrameReader(bytes, from, to - CRC_BYTES);
        var method = BlockMethod.ofCode(in.getByte());
        int width = type.sizeBytes();
        int count = (int) (r.byteSize() / width);
        switch (method) {
            case RAW -> readRaw(in, r);
            case SAME -> {}
            case ZERO -> r.fill((byte) 0);
            case LOSSLESS -> lossless.planes().decodeAlone(in, r, width, type.isFloating());
            case LOSSLESS_DELTA -> {
                if (type == ElementType.FLOAT32) {
                    lossless.magnitudes().decode(in, r, count);
                } else {
                    lossless.planes().decodeDelta(in, r, width);
                }
            }
            case LOSSLESS_LANES -> {
                requireFloat32(in, type);
                lossless.differences().decode(in, r, count);
            }
            case LOSSLESS_SCALES -> {
                requireFloat32(in, type);
                lossless.scales().decode(in, r, count);
            }
            case TABLE -> quantized().applyTable(in, type, r, count);
            case LOG_STEPS -> quantized().applyLogSteps(in, type, r, count);
            case SPARSE -> sparse().apply(in, r, width);
            case TABLE_ALONE -> {
                r.fill((byte) 0);
                quantized().applyTable(in, type, r, count);
            }
        }
        if (in.remaining() != 0) {
            throw in.corrupt(in.remaining() + " bytes left over");
        }
    }

    private static void requireFloat32(FrameReader in, ElementType type) throws CorruptBlockException {
        if (type != ElementType.FLOAT32) {
            throw in.corrupt("a method for float32, not " + type);
        }
    }

    private QuantizedReader quantized() {
        QuantizedReader made = quantized == null ? new QuantizedReader(tables) : quantized;
        quantized = made;
        return made;
    }

    private SparseBlock sparse() {
        SparseBlock made = sparse == null ? new SparseBlock() : sparse;
        sparse = made;
        return made;
    }

    private static void readRaw(FrameReader in, MemorySegment r) throws CorruptBlockException {
        if (in.remaining() != r.byteSize()) {
            throw in.corrupt("%d raw bytes for a block of %d".formatted(in.remaining(), r.byteSize()));
        }
        MemorySegment.copy(MemorySegment.ofArray(in.array()), in.position(), r, 0, r.byteSize());
        in.setPosition(in.limit());
    }
}
