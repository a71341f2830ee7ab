package dev.cairn.codec.lossless;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.Frame;
import dev.cairn.codec.FrameReader;
import dev.cairn.codec.VectorLoop;
import dev.cairn.codec.huffman.Histogram;
import dev.cairn.codec.huffman.SymbolCoder;
import dev.cairn.codec.huffman.TableSet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Codes float32 against a reference, losslessly, at nearly the speed of memory.
///
/// Bit patterns are subtracted as integers, and folded so that small differences of either sign become small numbers.
/// The bit length of such a number is entropy coded. The bits below its leading one look random and are stored without
/// coding, in 16 lanes ([LaneBits]).
///
/// A training step changes all weights by about the same amount, so the bit length depends on the magnitude of the
/// reference. Therefore the symbol of a number that is not 0 is its bit length plus `max(exponent, floor) − floor` of
/// the reference, which a reader knows. Moments change by about the same share of their value. For them the bit length
/// alone is better, and the highest floor gives exactly that. A sample of each block decides.
///
/// ```
/// payload := floor:u8 symbols lanes
/// lanes   := offset:u8*16 low:u32*16 high:u32*16 wordCount:u32 word:u32*
/// ```
/// Not thread-safe: buffers are reused.
public final class DifferenceCodec {
    /// Blocks with fewer elements are smaller without lanes.
    public static final int LEAST_ELEMENTS = 1 << 12;

    private static final ValueLayout.OfInt BITS = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int MOST_ELEMENTS = 1 << 16;
    private static final int SAMPLED_LINES = 16;
    private static final int SAMPLE = SAMPLED_LINES * LaneBits.LANES;

    /// The exponent of 2^−31. For smaller weights, the bit length no longer depends on the exponent in this way.
    private static final int WEIGHTS_FLOOR = 96;

    private static final int NO_SCALE_FLOOR = 255;

    private final SymbolCoder coder;
    private final DifferenceKernels kernels = new WarmDifferences();
    private final LaneBits bits = new LaneBits(MOST_ELEMENTS);
    private final byte[] symbols = new byte[MOST_ELEMENTS + LaneBits.LANES];
    private final byte[] plain = new byte[SAMPLE];
    private final byte[] scaled = new byte[SAMPLE];
    private final Histogram histogram = new Histogram();

    /// Creates a codec with its own buffers, for one thread.
    ///
    /// @param tables the set of code tables to use; null if blocks carry their own
    public DifferenceCodec(@Nullable TableSet tables) {
        this.coder = new SymbolCoder(tables);
    }

    /// The loops in which encoding spends its time.
    public static List<VectorLoop> encodingLoops() {
        return List.of(WarmDifferences.SPLIT);
    }

    /// Appends the payload of a block to the frame, and makes `r` equal to `u`.
    ///
    /// @param count at least [#LEAST_ELEMENTS]
    public void encode(MemorySegment u, MemorySegment r, int count, Frame frame) {
        int floor = floor(u, r, count);
        bits.clear();
        kernels.split(u, r, count, floor, symbols, bits);
        frame.putByte(floor);
        coder.encode(symbols, count, frame);
        bits.write(frame);
    }

    /// Returns the floor with the lower entropy of the symbols in a few whole cache lines, spread over the block.
    private int floor(MemorySegment u, MemorySegment r, int count) {
        int every = count / SAMPLED_LINES;
        for (int line = 0; line < SAMPLED_LINES; line++) {
            // Not a regular stride, which might sample the same columns of a matrix again and again.
            int from = line * every + line * 29 % (every - LaneBits.LANES);
            for (int i = 0; i < LaneBits.LANES; i++) {
                int reference = r.get(BITS, 4L * (from + i));
                int number = ScalarDifferences.folded(u.get(BITS, 4L * (from + i)), reference);
                int length = 32 - Integer.numberOfLeadingZeros(number);
                int scale = number == 0 ? 0 : ScalarDifferences.scale(reference, WEIGHTS_FLOOR);
                plain[line * LaneBits.LANES + i] = (byte) length;
                scaled[line * LaneBits.LANES + i] = (byte) (length + scale);
            }
        }
        return entropy(scaled) <= entropy(plain) ? WEIGHTS_FLOOR : NO_SCALE_FLOOR;
    }

    private double entropy(byte[] sample) {
        histogram.countAll(sample, 0, sample.length);
        return histogram.entropyBits();
    }

    /// Turns the reference into the values that were encoded.
    public void decode(FrameReader in, MemorySegment r, int count) throws CorruptBlockException {
        if (count > MOST_ELEMENTS) {
            throw in.corrupt("lanes of %d elements, maximum %d".formatted(count, MOST_ELEMENTS));
        }
        int floor = in.getByte();
        coder.decode(in, symbols, count);
        bits.read(in);
        if (!kernels.join(symbols, bits, count, floor, r) || !bits.isFinished()) {
            throw in.corrupt("lengths and bits do not match");
        }
    }
}
