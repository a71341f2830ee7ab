package dev.cairn.codec.lossless;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.Frame;
import dev.cairn.codec.FrameReader;
import dev.cairn.codec.huffman.SymbolCoder;
import dev.cairn.codec.huffman.TableSet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// Codes float32 against a reference, losslessly, in few bytes. For blocks that are too small for [DifferenceCodec].
///
/// Bit patterns are mapped to integers in the order of their values, subtracted, and folded so that small differences
/// of either sign become small numbers. The bit length of such a number is entropy coded. The bits below its leading
/// one look random and are stored without coding. A training step changes all weights by about the same amount, so the
/// bit length depends on the magnitude of the reference. Therefore the symbol is the bit length plus the exponent of
/// the reference, which a reader knows.
///
/// ```
/// payload := lowest:u8 symbols bitBytes:u32 bits
/// ```
/// Symbol 0 is "no difference"; symbol s > 0 is bit length + exponent = lowest + s. Not thread-safe.
public final class MagnitudeCodec {
    private static final ValueLayout.OfInt BITS = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int MOST_ELEMENTS = 1 << 16;
    private static final int SLACK = 16;

    private final SymbolCoder coder;
    private final int[] wanted = new int[MOST_ELEMENTS];
    private final int[] reference = new int[MOST_ELEMENTS];
    private final int[] folded = new int[MOST_ELEMENTS];
    private final int[] scale = new int[MOST_ELEMENTS];
    private final byte[] symbols = new byte[MOST_ELEMENTS + SLACK];

    /// Creates a codec with its own buffers, for one thread.
    ///
    /// @param tables the set of code tables to use; null if blocks carry their own
    public MagnitudeCodec(@Nullable TableSet tables) {
        this.coder = new SymbolCoder(tables);
    }

    /// Appends the payload to the frame. Returns false and leaves the frame unchanged if this scheme does not fit the
    /// block.
    public boolean encode(MemorySegment u, MemorySegment r, int count, Frame frame) {
        MemorySegment.copy(u, BITS, 0, wanted, 0, count);
        MemorySegment.copy(r, BITS, 0, reference, 0, count);
        int lowest = Integer.MAX_VALUE;
        int highest = 0;
        for (int i = 0; i < count; i++) {
            int number = folded(wanted[i], reference[i]);
            int symbol = 32 - Integer.numberOfLeadingZeros(number) + ((reference[i] >>> 23) & 0xff);
            folded[i] = number;
            scale[i] = symbol;
            lowest = Math.min(lowest, number == 0 ? Integer.MAX_VALUE : symbol);
            highest = Math.max(highest, number == 0 ? 0 : symbol);
        }
        int base = lowest == Integer.MAX_VALUE ? 0 : lowest - 1;
        if (base > 0xff || highest - base > 0xff) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            symbols[i] = (byte) (folded[i] == 0 ? 0 : scale[i] - base);
        }
        frame.putByte(base);
        coder.encode(symbols, count, frame);
        putBits(count, frame);
        return true;
    }

    private void putBits(int count, Frame frame) {
        frame.putInt(0);
        int start = frame.size();
        byte[] out = frame.reserve(4 * count + SLACK);
        int at = start;
        long pending = 0;
        int pendingBits = 0;
        for (int i = 0; i < count; i++) {
            int number = folded[i];
            int length = Math.max(31 - Integer.numberOfLeadingZeros(number), 0);
            long bits = number & ((1L << length) - 1);
            pending |= bits << pendingBits;
            pendingBits += length;
            LONG.set(out, at, pending);
            int whole = pendingBits >>> 3;
            at += whole;
            pending >>>= 8 * whole;
            pendingBits &= 7;
        }
        if (pendingBits > 0) {
            at++;
        }
        frame.setSize(start - 4);
        frame.putInt(at - start);
        frame.setSize(at);
    }

    /// Turns the reference into the values that were encoded.
    public void decode(FrameReader in, MemorySegment r, int count) throws CorruptBlockException {
        if (count > MOST_ELEMENTS) {
            throw in.corrupt("a delta of %d elements, maximum %d".formatted(count, MOST_ELEMENTS));
        }
        int base = in.getByte();
        coder.decode(in, symbols, count);
        int bitBytes = in.getCount(in.remaining(), "bytes of bits");
        byte[] bytes = in.array();
        int start = in.position();
        int end = start + bitBytes;
        MemorySegment.copy(r, BITS, 0, reference, 0, count);
        long position = 8L * start;
        long limit = 8L * end;
        int safe = Math.min(end, bytes.length - 8);
        for (int i = 0; i < count; i++) {
            int symbol = symbols[i] & 0xff;
            if (symbol == 0) {
                wanted[i] = reference[i];
                continue;
            }
            int length = symbol + base - ((reference[i] >>> 23) & 0xff) - 1;
            if (length < 0 || length > 31 || position + length > limit) {
                throw in.corrupt("element %d has %d bits".formatted(i, length));
            }
            int at = (int) (position >>> 3);
            long window = at <= safe ? (long) LONG.get(bytes, at) : lastBytes(bytes, at, end);
            int low = (int) (window >>> (position & 7)) & (int) ((1L << length) - 1);
            position += length;
            int number = low | (1 << length);
            wanted[i] = ordered(ordered(reference[i]) + ((number >>> 1) ^ -(number & 1)));
        }
        if (position + 7 < limit) {
            throw in.corrupt("bits left over");
        }
        in.setPosition(end);
        MemorySegment.copy(wanted, 0, r, BITS, 0, count);
    }

    private static long lastBytes(byte[] bytes, int from, int end) {
        long window = 0;
        for (int at = Math.min(end, bytes.length) - 1; at >= from; at--) {
            window = (window << 8) | (bytes[at] & 0xffL);
        }
        return window;
    }

    private static int folded(int wanted, int reference) {
        int difference = ordered(wanted) - ordered(reference);
        return (difference << 1) ^ (difference >> 31);
    }

    /// Converts sign and magnitude to two's complement, and back: it is its own inverse. Negative zero maps to the
    /// smallest integer, so that every bit pattern has its own integer.
    private static int ordered(int bits) {
        return bits ^ ((bits >> 31) & 0x7fff_ffff);
    }
}
