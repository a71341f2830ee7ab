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

/// Codes any type losslessly: bytes of equal significance form a plane, and each plane is entropy coded if that helps.
///
/// Without a reference, the bits of a floating-point number are rotated left by one. This puts the exponent, the part
/// with structure, into separate bytes. With a reference, the difference of the bit patterns is coded. Not thread-safe.
public final class PlaneCodec {
    private static final int SLACK = 16;

    /// Planes of mantissas are noise with some zeros. Splitting off the zeros would save a few percent and make a
    /// restore take half as long again.
    private static final double LEAST_GAIN = 0.15;

    /// One for each plane, because the planes differ.
    private final SymbolCoder[] coders = new SymbolCoder[Long.BYTES];

    /// The same for float32 without a reference, which is the bulk of large bases.
    private final SymbolCoder[] fastCoders = new SymbolCoder[Float.BYTES];

    private final PlaneKernels kernels = new WarmPlanes();
    private final Planes found = new Planes();
    private byte[] planes = new byte[0];
    private @Nullable Wide wide;

    /// Buffers for types other than float32.
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

    /// Creates a codec with its own buffers, for one thread.
    ///
    /// @param tables the set of code tables to use; null if blocks carry their own
    public PlaneCodec(@Nullable TableSet tables) {
        Arrays.setAll(coders, _ -> new SymbolCoder(tables));
        Arrays.setAll(fastCoders, _ -> new SymbolCoder(tables, LEAST_GAIN));
    }

    /// The loops in which encoding float32 without a reference spends its time.
    public static List<VectorLoop> encodingLoops() {
        return List.of(WarmPlanes.SPLIT);
    }

    /// Appends the planes, the most significant plane last. An element has `width` bytes: 1, 2, 4 or 8.
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

    /// Reads what [#encodeAlone] wrote into `r`.
    public void decodeAlone(FrameReader in, MemorySegment r, int width, boolean floating) throws CorruptBlockException {
        int count = (int) (r.byteSize() / width);
        if (floating && width == Float.BYTES) {
            find(in, count);
            kernels.join(found, count, r);
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

    /// Appends the planes of float32 against a reference, as [ScaleCodec] describes them.
    void encodeScaled(MemorySegment u, MemorySegment r, int count, Frame frame) {
        int stride = count + SLACK;
        reserve(Float.BYTES * stride);
        kernels.splitScaled(u, r, count, planes, stride);
        for (int p = 0; p < Float.BYTES; p++) {
            fastCoders[p].encode(planes, p * stride, count, frame);
        }
    }

    /// Turns the reference into the values that [#encodeScaled] encoded.
    void decodeScaled(FrameReader in, MemorySegment r, int count) throws CorruptBlockException {
        find(in, count);
        kernels.joinScaled(found, count, r);
    }

    /// Decodes the planes of float32. Those that are stored without coding stay where they are.
    private void find(FrameReader in, int count) throws CorruptBlockException {
        int stride = count + SLACK;
        reserve(Planes.COUNT * stride);
        for (int p = 0; p < Planes.COUNT; p++) {
            int stored = fastCoders[p].decodeUnlessStored(in, planes, p * stride, count);
            if (stored < 0) {
                found.set(p, planes, p * stride);
            } else {
                found.set(p, in.array(), stored);
            }
        }
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

    /// Turns the reference `r` into the values that [#encodeDelta] encoded.
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
