package dev.cairn.codec.lossless;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.Frame;
import dev.cairn.codec.FrameReader;
import dev.cairn.codec.huffman.SymbolCoder;
import dev.cairn.codec.huffman.TableSet;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Any type, bit for bit: bytes of equal significance are put together, plane by plane, and each plane is entropy coded
/// where that helps.
///
/// Alone, the bits of a floating-point number are turned left by one, which brings the exponent, the part with
/// structure, into bytes of its own. Against a reference the difference of the bit patterns is coded. Not thread-safe.
public final class PlaneCodec {
    private static final int MOST_ELEMENTS = 1 << 16;

    private final SymbolCoder coder;
    private final Words memory = new Words(MOST_ELEMENTS);
    private final byte[] plane = new byte[MOST_ELEMENTS + 16];
    private final long[] words = new long[MOST_ELEMENTS];
    private final long[] references = new long[MOST_ELEMENTS];

    /// @param tables where code tables go, and come from; null where blocks carry theirs themselves
    public PlaneCodec(@Nullable TableSet tables) {
        this.coder = new SymbolCoder(tables);
    }

    /// Appends the planes, the most significant last. An element has `width` bytes: 1, 2, 4 or 8.
    public void encodeAlone(MemorySegment u, int width, boolean floating, Frame frame) {
        int count = (int) (u.byteSize() / width);
        memory.load(u, width, count, words);
        if (floating) {
            int top = 8 * width - 1;
            for (int i = 0; i < count; i++) {
                words[i] = (words[i] << 1) | ((words[i] >>> top) & 1);
            }
        }
        putPlanes(width, count, frame);
    }

    public void decodeAlone(FrameReader in, MemorySegment r, int width, boolean floating) throws CorruptBlockException {
        int count = (int) (r.byteSize() / width);
        getPlanes(in, width, count);
        if (floating) {
            int top = 8 * width - 1;
            for (int i = 0; i < count; i++) {
                words[i] = (words[i] >>> 1) | ((words[i] & 1) << top);
            }
        }
        memory.store(words, r, width, count);
    }

    /// Appends the planes of the folded difference `u − r` of the bit patterns as integers.
    public void encodeDelta(MemorySegment u, MemorySegment r, int width, Frame frame) {
        int count = (int) (u.byteSize() / width);
        int unused = 64 - 8 * width;
        memory.load(u, width, count, words);
        memory.load(r, width, count, references);
        for (int i = 0; i < count; i++) {
            long difference = ((words[i] - references[i]) << unused) >> unused;
            words[i] = (difference << 1) ^ (difference >> 63);
        }
        putPlanes(width, count, frame);
    }

    public void decodeDelta(FrameReader in, MemorySegment r, int width) throws CorruptBlockException {
        int count = (int) (r.byteSize() / width);
        getPlanes(in, width, count);
        memory.load(r, width, count, references);
        for (int i = 0; i < count; i++) {
            words[i] = references[i] + ((words[i] >>> 1) ^ -(words[i] & 1));
        }
        memory.store(words, r, width, count);
    }

    private void putPlanes(int width, int count, Frame frame) {
        for (int p = 0; p < width; p++) {
            int shift = 8 * p;
            for (int i = 0; i < count; i++) {
                plane[i] = (byte) (words[i] >>> shift);
            }
            coder.encode(plane, count, frame);
        }
    }

    private void getPlanes(FrameReader in, int width, int count) throws CorruptBlockException {
        Arrays.fill(words, 0, count, 0);
        for (int p = 0; p < width; p++) {
            int shift = 8 * p;
            coder.decode(in, plane, count);
            for (int i = 0; i < count; i++) {
                words[i] |= (plane[i] & 0xffL) << shift;
            }
        }
    }
}
