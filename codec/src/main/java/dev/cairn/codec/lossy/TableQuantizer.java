package dev.cairn.codec.lossy;

import dev.cairn.codec.ElementType;
import dev.cairn.codec.Frame;
import dev.cairn.codec.VectorLoop;
import dev.cairn.codec.huffman.TableSet;
import dev.cairn.codec.lossy.kernel.Floats;
import dev.cairn.codec.lossy.kernel.Kernels;
import dev.cairn.codec.lossy.kernel.QuantizedBlock;
import dev.cairn.codec.lossy.kernel.UniformSetting;
import dev.cairn.codec.lossy.kernel.WarmKernels;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Quantizes deltas to ids with a table of values: uniform steps, or LC-Checkpoint's exponent buckets.
///
/// ```
/// payload := valueCount:u8 value:f32* streams      uniform: valueCount = 128 + 7, and the negative values are implied
/// ```
public final class TableQuantizer implements Quantizer {
    private static final int MIRRORED = 128;
    private static final int UNIFORM_VALUES = 7;

    /// Which deltas share an id.
    public sealed interface Scheme {
        /// Equal steps around a dead zone.
        record Uniform(UniformSetting setting) implements Scheme {}

        /// LC-Checkpoint's buckets, with this many bits of promotion.
        record Exponent(int bits) implements Scheme {
            public Exponent {
                if (bits < 1 || bits > 8) {
                    throw new IllegalArgumentException("promotion takes 1 to 8 bits, not " + bits);
                }
            }
        }

        /// LC-Checkpoint's buckets, in each block with the fewest bits that leave at most this share of the sum of the
        /// squared deltas. A block for which eight bits leave more is stored exactly.
        record ExponentWithin(double share) implements Scheme {
            public ExponentWithin {
                if (!(share >= 0)) {
                    throw new IllegalArgumentException("the share must not be negative: share=" + share);
                }
            }
        }
    }

    private Scheme scheme;
    private final Deltas deltas;
    private final Kernels kernels;
    private final ExponentQuantizer exponents = new ExponentQuantizer();
    private final QuantizedBlock block = new QuantizedBlock();
    private final IdStreams streams;
    private final float[] squares = new float[Kernels.LANES];
    private final float[] errors = new float[Kernels.LANES];
    private double deltaSquares;
    private double errorSquares;

    /// Creates a quantizer for blocks that carry their own code tables.
    public TableQuantizer(ElementType type, Scheme scheme) {
        this(type, scheme, new WarmKernels(), null);
    }

    /// Creates a quantizer with its own buffers, for one thread.
    ///
    /// @param tables the set to add code tables to; null if blocks carry their own
    public TableQuantizer(ElementType type, Scheme scheme, @Nullable TableSet tables) {
        this(type, scheme, new WarmKernels(), tables);
    }

    TableQuantizer(ElementType type, Scheme scheme, Kernels kernels, @Nullable TableSet tables) {
        this.kernels = kernels;
        this.streams = new IdStreams(tables);
        this.deltas = Deltas.of(type);
        this.scheme = scheme;
        use(scheme);
    }

    /// The loops in which encoding float32 in uniform steps spends its time.
    public static List<VectorLoop> encodingLoops() {
        return List.of(WarmKernels.QUANTIZE);
    }

    /// Uses this scheme from the next block on.
    public void use(Scheme next) {
        scheme = next;
        if (next instanceof Scheme.Uniform(UniformSetting setting)) {
            setting.fill(block.values);
        }
    }

    @Override
    public Kind kind() {
        return Kind.TABLE;
    }

    @Override
    public boolean quantize(MemorySegment u, MemorySegment r) {
        MemorySegment minuend = deltas.minuend(u, r);
        MemorySegment subtrahend = deltas.subtrahend(u, r);
        int count = (int) (minuend.byteSize() / Float.BYTES);
        switch (scheme) {
            case Scheme.Uniform(UniformSetting setting) -> {
                Arrays.fill(squares, 0);
                Arrays.fill(errors, 0);
                boolean sound = kernels.quantizeUniform(minuend, subtrahend, count, setting, block, squares, errors);
                block.largestId = 15;
                deltaSquares = Floats.sum(squares);
                errorSquares = Floats.sum(errors);
                if (deltas.isDirect()) {
                    return sound && Double.isFinite(deltaSquares);
                }
            }
            case Scheme.Exponent(int bits) -> {
                deltaSquares = exponents.quantize(minuend, subtrahend, count, bits, block);
                errorSquares = exponents.errorSquares();
            }
            case Scheme.ExponentWithin(double share) -> {
                deltaSquares = exponents.quantizeWithin(minuend, subtrahend, count, share, block);
                errorSquares = exponents.errorSquares();
            }
        }
        return Double.isFinite(deltaSquares) && deltas.applyAndCheck(kernels, block, r);
    }

    @Override
    public QuantizedBlock block() {
        return block;
    }

    @Override
    public void write(Frame frame) {
        if (!(scheme instanceof Scheme.Uniform)) {
            streams.writeTable(block, frame);
            return;
        }
        frame.putByte(MIRRORED + UNIFORM_VALUES);
        for (int id = 1; id <= UNIFORM_VALUES; id++) {
            frame.putInt(Float.floatToRawIntBits(block.values[id]));
        }
        streams.write(block, false, frame);
    }

    @Override
    public double deltaSquares() {
        return deltaSquares;
    }

    @Override
    public double errorSquares() {
        return errorSquares;
    }
}
