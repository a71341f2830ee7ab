package dev.cairn.codec.block;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.Crc32c;
import dev.cairn.codec.ElementType;
import dev.cairn.codec.FrameReader;
import dev.cairn.codec.huffman.TableSet;
import dev.cairn.codec.lossy.QuantizedReader;
import dev.cairn.codec.pattern.PatternBlock;
import dev.cairn.codec.pattern.Patterns;
import dev.cairn.codec.sparse.SparseBlock;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Applies frames of every method to references. Not thread-safe: its buffers are reused.
///
/// After the last frame, the values are compared with the checksum of the writer's own reference. This detects a
/// decoder that computes different values, on any machine.
public final class BlockDecoder {
    private static final int CRC_BYTES = 4;

    private final TableSet tables = TableSet.empty();
    private final LosslessCodecs lossless = new LosslessCodecs(tables);
    private @Nullable QuantizedReader quantized;
    private @Nullable SparseBlock sparse;
    private @Nullable PatternBlock patterned;
    private List<Patterns> patterns = List.of();

    /// Sets the tables to which the next frames refer.
    public void use(SegmentTables shared) {
        tables.become(shared.codes());
        patterns = shared.patterns();
    }

    /// Whether these bytes alone give the values: a reader needs no reference and no earlier frame.
    ///
    /// @param bytes holds the frame from `from` to `to`
    public static boolean standsAlone(byte[] bytes, int from, int to) {
        return to > from && BlockMethod.standsAlone(bytes[from] & 0xff);
    }

    /// Turns the reference, a block of this type, into the values that the writer of the frame held, and compares their
    /// checksums.
    ///
    /// @param bytes holds the frame from `from` to `to`
    /// @throws CorruptBlockException if the frame is invalid; `r` may then hold anything
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

    /// Turns the reference into the values that the writer of the frame held, without the comparison. For a frame that
    /// is followed by others: the comparison after the last frame covers all of them.
    public void advance(byte[] bytes, int from, int to, ElementType type, MemorySegment r)
            throws CorruptBlockException {
        if (to - from < 1 + CRC_BYTES) {
            throw new CorruptBlockException(0, "frame too short: %d bytes".formatted(to - from));
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
            case PATTERNS -> {
                requireFloat32(in, type);
                PatternBlock block = patterned();
                block.read(in, patterns, count);
                block.apply(r);
                quantized().applyTable(in, type, r, count);
            }
        }
        if (in.remaining() != 0) {
            throw in.corrupt(in.remaining() + " bytes left over");
        }
    }

    private static void requireFloat32(FrameReader in, ElementType type) throws CorruptBlockException {
        if (type != ElementType.FLOAT32) {
            throw in.corrupt("the method is only for float32, not for " + type);
        }
    }

    private QuantizedReader quantized() {
        QuantizedReader made = quantized == null ? new QuantizedReader(tables) : quantized;
        quantized = made;
        return made;
    }

    private PatternBlock patterned() {
        PatternBlock made = patterned == null ? new PatternBlock(tables) : patterned;
        patterned = made;
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
