package dev.cairn.codec.lossy;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.Crc32c;
import dev.cairn.codec.Frame;
import dev.cairn.codec.FrameReader;
import dev.cairn.codec.huffman.CodeTable;
import dev.cairn.codec.huffman.Histogram;
import dev.cairn.codec.huffman.SymbolCoder;
import dev.cairn.codec.lossy.kernel.Kernels;
import dev.cairn.codec.lossy.kernel.QuantizedBlock;
import dev.cairn.codec.lossy.kernel.ScalarKernels;
import dev.cairn.codec.lossy.kernel.UniformSetting;
import dev.cairn.jmh.Pass;
import dev.cairn.jmh.WorkingSet;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// What a lossy block goes through, each stage alone. Whatever part of a block a stage sees, its time is that for the
/// whole block: times of stages add up.
///
/// `quantize` and `apply` run on the kernels that this machine would choose, their twins on the scalar ones.
public class StageBenchmark extends Pass {
    private static final double STEP_OF_RMS = 2.07;
    private static final int ELEMENTS = QuantizedBlock.MOST_ELEMENTS;
    private static final int SLACK = 16;

    private final Kernels fastest = Kernels.fastest();
    private final Kernels scalar = new ScalarKernels();
    private final float[] deltaSquares = new float[Kernels.LANES];
    private final float[] errorSquares = new float[Kernels.LANES];
    private final QuantizedBlock scratch = new QuantizedBlock();
    private final SymbolCoder coder = new SymbolCoder();
    private final Histogram histogram = new Histogram();
    private final Frame frame = new Frame();

    /// What was decoded last.
    final byte[] symbols = new byte[ELEMENTS + SLACK];

    private WorkingSet set;
    private UniformSetting setting;
    private QuantizedBlock[] quantized;

    /// Of each block, the symbols that are entropy coded: eight elements' bits to a byte, and two ids to a byte.
    byte[][] masks;

    byte[][] pairs;
    private byte[][] codedMasks;
    private byte[][] codedPairs;

    @Setup
    public void open() {
        set = WorkingSet.ofWeights(megabytes);
        setting = UniformSetting.ofStep((float) (STEP_OF_RMS * set.rmsDelta()));
        setting.fill(scratch.values);
        quantized = new QuantizedBlock[set.blocks()];
        masks = new byte[set.blocks()][];
        pairs = new byte[set.blocks()][];
        for (int block = 0; block < set.blocks(); block++) {
            var made = new QuantizedBlock();
            setting.fill(made.values);
            quantizeWith(scalar, block, made);
            quantized[block] = made;
            masks[block] = Arrays.copyOf(made.mask, made.maskBytes());
            pairs[block] = paired(made.ids, made.idCount);
        }
        codedMasks = coded(masks);
        codedPairs = coded(pairs);
    }

    @Setup(Level.Invocation)
    public void reset() {
        set.resetReference();
    }

    @TearDown
    public void close() {
        set.close();
    }

    @Benchmark
    public void memcpy() {
        for (int block = 0; block < set.blocks(); block++) {
            set.reference(block).copyFrom(set.live(block));
        }
    }

    @Benchmark
    public void quantize() {
        for (int block = 0; block < set.blocks(); block++) {
            quantizeWith(fastest, block, scratch);
        }
    }

    @Benchmark
    public void quantizeScalar() {
        for (int block = 0; block < set.blocks(); block++) {
            quantizeWith(scalar, block, scratch);
        }
    }

    @Benchmark
    public boolean applyAndCheck() {
        return applyAndCheckWith(fastest);
    }

    @Benchmark
    public boolean applyAndCheckScalar() {
        return applyAndCheckWith(scalar);
    }

    @Benchmark
    public void apply() {
        for (int block = 0; block < quantized.length; block++) {
            fastest.apply(quantized[block], set.reference(block));
        }
    }

    @Benchmark
    public int maskEncode() {
        return encode(masks);
    }

    @Benchmark
    public void maskDecode() throws CorruptBlockException {
        decode(codedMasks, masks);
    }

    @Benchmark
    public int idsEncode() {
        return encode(pairs);
    }

    @Benchmark
    public void idsDecode() throws CorruptBlockException {
        decode(codedPairs, pairs);
    }

    /// A code table for the mask and one for the ids of every block, ready to be written. Encoders keep tables while
    /// they fit, so few blocks pay for this.
    @Benchmark
    public int makeTables() {
        int bytes = 0;
        for (int block = 0; block < masks.length; block++) {
            bytes += tableBytes(masks[block]) + tableBytes(pairs[block]);
        }
        return bytes;
    }

    @Benchmark
    public int crc32c() {
        int all = 0;
        for (int block = 0; block < set.blocks(); block++) {
            all ^= Crc32c.of(set.reference(block));
        }
        return all;
    }

    private void quantizeWith(Kernels kernels, int block, QuantizedBlock into) {
        kernels.quantizeUniform(
                set.live(block), set.reference(block), ELEMENTS, setting, into, deltaSquares, errorSquares);
    }

    private boolean applyAndCheckWith(Kernels kernels) {
        boolean sound = true;
        for (int block = 0; block < quantized.length; block++) {
            sound &= kernels.applyAndCheck(quantized[block], set.reference(block));
        }
        return sound;
    }

    private int encode(byte[][] blocks) {
        int bytes = 0;
        for (byte[] block : blocks) {
            frame.clear();
            coder.encode(block, block.length, frame);
            bytes += frame.size();
        }
        return bytes;
    }

    private void decode(byte[][] coded, byte[][] plain) throws CorruptBlockException {
        for (int block = 0; block < coded.length; block++) {
            coder.decode(new FrameReader(coded[block], 0, coded[block].length), symbols, plain[block].length);
        }
    }

    private int tableBytes(byte[] bytes) {
        histogram.countAll(bytes, 0, bytes.length);
        return CodeTable.ofFrequent(histogram.counts()).toBytes().length;
    }

    private byte[][] coded(byte[][] blocks) {
        byte[][] coded = new byte[blocks.length][];
        for (int block = 0; block < blocks.length; block++) {
            frame.clear();
            coder.encode(blocks[block], blocks[block].length, frame);
            coded[block] = frame.contents().toArray(ValueLayout.JAVA_BYTE);
        }
        return coded;
    }

    private static byte[] paired(byte[] ids, int count) {
        byte[] paired = new byte[(count + 1) / 2];
        for (int i = 0; i < count; i++) {
            paired[i / 2] |= (byte) (ids[i] << (4 * (i % 2)));
        }
        return paired;
    }
}
