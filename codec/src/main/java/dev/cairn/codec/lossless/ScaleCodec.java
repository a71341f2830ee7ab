package dev.cairn.codec.lossless;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.Frame;
import dev.cairn.codec.FrameReader;
import dev.cairn.codec.huffman.TableSet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// Codes float32 against a reference, losslessly, for blocks in which most elements are the reference times a power of
/// two, such as second moments that change in steps of their logarithm. The difference of the bit patterns of such an
/// element uses all 32 bits; here it is only a small difference of exponents.
///
/// The exponent is coded as the difference to the exponent of the reference. Sign and mantissa are coded as the
/// exclusive or with those of the reference. The result is coded in planes, like values without a reference.
///
/// ```
/// payload := that of a lossless block
/// ```
/// Not thread-safe: buffers are reused.
public final class ScaleCodec {
    private static final ValueLayout.OfInt BITS = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int SIGN_AND_MANTISSA = 0x807f_ffff;
    private static final int SAMPLE = 64;

    private final PlaneCodec planes;

    /// Creates a codec with its own planes, because they differ from those of other codecs.
    ///
    /// @param tables the set of code tables to use; null if blocks carry their own
    public ScaleCodec(@Nullable TableSet tables) {
        this.planes = new PlaneCodec(tables);
    }

    /// Whether most elements that differ from the reference differ by a power of two, judging by a sample.
    public static boolean suits(MemorySegment u, MemorySegment r, int count) {
        int different = 0;
        int scaled = 0;
        for (int k = 0; k < SAMPLE; k++) {
            // Not a regular stride, which might sample the same columns of a matrix again and again.
            long at = 4 * ((long) k * count / SAMPLE + (k * 29L) % Math.max(1, count / SAMPLE));
            int change = u.get(BITS, at) ^ r.get(BITS, at);
            different += change == 0 ? 0 : 1;
            scaled += change != 0 && (change & SIGN_AND_MANTISSA) == 0 ? 1 : 0;
        }
        return 2 * scaled > different;
    }

    /// Appends the payload of a block to the frame.
    public void encode(MemorySegment u, MemorySegment r, int count, Frame frame) {
        planes.encodeScaled(u, r, count, frame);
    }

    /// Turns the reference into the values that were encoded.
    public void decode(FrameReader in, MemorySegment r, int count) throws CorruptBlockException {
        planes.decodeScaled(in, r, count);
    }
}
