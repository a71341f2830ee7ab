package dev.cairn.codec.lossless;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.Frame;
import dev.cairn.codec.FrameReader;
import dev.cairn.codec.VectorLoop;
import dev.cairn.codec.huffman.SymbolCoder;
import dev.cairn.codec.huffman.TableSet;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Any type, bit for bit: bytes of equal significance are put together, plane by plane, and each plane is entropy coded
/// where that helps.
///
/// Alone, the bits of a floating-point number are turned left by one, which brings the exponent, the part with
/// structure, into bytes of its own. Against a reference the difference of the bit patterns is coded. Not thread-safe.
public final class PlaneCodec {
    private static final int SLACK = 16;

    /// Planes of mantissas are noise with some zeros in it: to take those out would save a few bytes in a hundred, and
    /// make a restore take half as long again.
    private static final double LEAST_GAIN = 0.15;

    /// One for each plane: what suits one does not suit the others.
    private final SymbolCoder[] coders = new SymbolCoder[Long.BYTES];

    /// The same for float32 alone: what large bases are made of.
    private final SymbolCoder[] fastCoders = new SymbolCoder[Float.BYTES];

    private final PlaneKernels kernels = new WarmPlanes();
    private byte[] planes = new byte[0];
    private @Nullable Wide wide;

    /// For types that are not float32.
    private static final class Wide {
        final Words memory;
        final long[] words;
        final long[] references;

        Wide(int mostElements) {
            memory = new Words(mostElements);
            words = new long[mostElements];
            references = new long[mostElements];
        }
    }

    /// A codec with buffers of its own; for one thread.
    ///
    /// @param tables where code tables go, and come from; null where blocks carry theirs themselves
    public PlaneCodec(@Nullable TableSet tables) {
        Arrays.setAll(coders, _ -> new SymbolCoder(tables));
        Arrays.setAll(fastCoders, _ -> new SymbolCoder(tables, LEAST_GAIN));
    }

    /// The loops in which encoding float32 alone spends its time.
    public static List<VectorLoop> encodingLoops() {
        return List.of(WarmPlanes.SPLIT);
    }

    /// Appends the planes, the most significant last. An element has `width` bytes: 1, 2, 4 or 8.
    public void encodeAlone(MemorySegment u, int width, boolean floating, Frame frame) {
        int count = (int) (u.byteSize() / width);
        if (floating && width == Float.BYTES) {
            int stride = count + SLACK;
            reserve(width * stride);
            kernels.split(u, count, planes, stride);
            for (int p = 0; p < width; p++) {
                fastCoders[p].encode(planes, p * stride, count, frame);
            }
            return;
        }
        Wide buffers = wide(count);
        long[] words = buffers.words;
        buffers.memory.load(u, width, count, words);
        if (floating) {
            int top = 8 * width - 1;
            for (int i = 0; i < count; i++) {
                words[i] = (words[i] << 1) | ((words[i] >>> top) & 1);
            }
        }
        putPlanes(words, width, count, frame);
    }

    /// Puts what was encoded alone into r.
    public void decodeAlone(FrameReader in, MemorySegment r, int width, boolean floating) throws CorruptBlockException {
        int count = (int) (r.byteSize() / width);
        if (floating && width == Float.BYTES) {
            int stride = count + SLACK;
            reserve(width * stride);
            for (int p = 0; p < width; p++) {
                fastCoders[p].decode(in, planes, p * stride, count);
            }
            kernels.join(planes, stride, count, r);
            return;
        }
        Wide buffers = wide(count);
        long[] words = buffers.words;
        getPlanes(in, words, width, count);
        if (floating) {
            int top = 8 * width - 1;
            for (int i = 0; i < count; i++) {
                words[i] = (words[i] >>> 1) | ((words[i] & 1) << top);
            }
        }
        buffers.memory.store(words, r, width, count);
    }

    /// Appends the planes of float32 against a reference, as [ScaleCodec] has them.
    void encodeScaled(MemorySegment u, MemorySegment r, int count, Frame frame) {
        int stride = count + SLACK;
        reserve(Float.BYTES * stride);
        kernels.splitScaled(u, r, count, planes, stride);
        for (int p = 0; p < Float.BYTES; p++) {
            fastCoders[p].encode(planes, p * stride, count, frame);
        }
    }

    /// Turns the reference into the values that [#encodeScaled] had.
    void decodeScaled(FrameReader in, MemorySegment r, int count) throws CorruptBlockException {
        int stride = count + SLACK;
        reserve(Float.BYTES * stride);
        for (int p = 0; p < Float.BYTES; p++) {
            fastCoders[p].decode(in, planes, p * stride, count);
        }
        kernels.joinScaled(planes, stride, count, r);
    }

    /// Appends the planes of the folded difference `u − r` of the bit patterns as integers.
    public void encodeDelta(MemorySegment u, MemorySegment r, int width, Frame frame) {
        int count = (int) (u.byteSize() / width);
        int unused = 64 - 8 * width;
        Wide buffers = wide(count);
        long[] words = buffers.words;
        buffers.memory.load(u, width, count, words);
        buffers.memory.load(r, width, count, buffers.references);
        for (int i = 0; i < count; i++) {
            long difference = ((words[i] - buffers.references[i]) << unused) >> unused;
            words[i] = (difference << 1) ^ (difference >> 63);
        }
        putPlanes(words, width, count, frame);
    }

    /// Turns r, the values before, into those after.
    public void decodeDelta(FrameReader in, MemorySegment r, int width) throws CorruptBlockException {
        int count = (int) (r.byteSize() / width);
        Wide buffers = wide(count);
        long[] words = buffers.words;
        getPlanes(in, words, width, count);
        buffers.memory.load(r, width, count, buffers.references);
        for (int i = 0; i < count; i++) {
            words[i] = buffers.references[i] + ((words[i] >>> 1) ^ -(words[i] & 1));
        }
        buffers.memory.store(words, r, width, count);
    }

    private void putPlanes(long[] words, int width, int count, Frame frame) {
        reserve(count + SLACK);
        for (int p = 0; p < width; p++) {
            int shift = 8 * p;
            for (int i = 0; i < count; i++) {
                planes[i] = (byte) (words[i] >>> shift);
            }
            coders[p].encode(planes, count, frame);
        }
    }

    private void getPlanes(FrameReader in, long[] words, int width, int count) throws CorruptBlockException {
        reserve(count + SLACK);
        Arrays.fill(words, 0, count, 0);
        for (int p = 0; p < width; p++) {
            int shift = 8 * p;
            coders[p].decode(in, planes, count);
            for (int i = 0; i < count; i++) {
                words[i] |= (planes[i] & 0xffL) << shift;
            }
        }
    }

    private Wide wide(int count) {
        Wide made = wide == null || wide.words.length < count ? new Wide(count) : wide;
        wide = made;
        return made;
    }

    private void reserve(int bytes) {
        if (planes.length < bytes) {
            planes = new byte[bytes];
        }
    }
}
