package dev.cairn.codec.lossy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.EdgeBlocks;
import dev.cairn.codec.ElementType;
import dev.cairn.codec.FlushToZero;
import dev.cairn.codec.Frame;
import dev.cairn.codec.FrameReader;
import dev.cairn.codec.VectorModule;
import dev.cairn.codec.huffman.TableSet;
import dev.cairn.codec.lossy.TableQuantizer.Scheme;
import dev.cairn.codec.lossy.kernel.Kernels;
import dev.cairn.codec.lossy.kernel.ScalarKernels;
import dev.cairn.codec.lossy.kernel.UniformSetting;
import dev.cairn.codec.lossy.kernel.VectorKernels;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Scalar and vector loops read each other's blocks and reject the same blocks, no matter which of their threads flush
/// subnormal numbers to zero.
class FlushedKernelsTest {
    private static final int[] COUNTS = {64, 65, 640, 1000};
    private static final int SEEDS = 8;

    private final Frame frame = new Frame();

    @BeforeEach
    void needsModeAndVectors() {
        FlushToZero.assumeSupported();
        assumeTrue(
                VectorModule.isPresent() && VectorKernels.isSupported(),
                "no vectors of 16 floats here: nothing to compare");
    }

    @ParameterizedTest
    @CsvSource({
        "false, true, false",
        "false, false, true",
        "false, true, true",
        "true, true, false",
        "true, false, true",
        "true, true, true",
        "true, false, false"
    })
    void readersHoldWhatWritersHold(boolean vectorReads, boolean writerFlushes, boolean readerFlushes)
            throws CorruptBlockException {
        Kernels writes = vectorReads ? new ScalarKernels() : new VectorKernels();
        var reader = new QuantizedReader(vectorReads ? new VectorKernels() : new ScalarKernels(), TableSet.empty());
        int quantized = 0;
        for (Scheme scheme : schemes()) {
            var writer = new TableQuantizer(ElementType.FLOAT32, scheme, writes, null);
            for (EdgeBlocks.Kind kind : EdgeBlocks.Kind.values()) {
                for (int seed = 0; seed < SEEDS; seed++) {
                    int count = COUNTS[seed % COUNTS.length];
                    var block = EdgeBlocks.of(ElementType.FLOAT32, kind, count, seed);
                    MemorySegment held =
                            Arena.ofAuto().allocate(block.r().byteSize(), 4).copyFrom(block.r());
                    if (write(writer, block, writerFlushes)) {
                        quantized++;
                        read(reader, writer, held, count, readerFlushes);
                        assertThat(held.mismatch(block.r()))
                                .as("%s %s seed=%d", scheme, kind, seed)
                                .isEqualTo(-1);
                    }
                }
            }
        }
        assertThat(quantized).as("blocks that were not rejected").isGreaterThan(100);
    }

    private static boolean write(TableQuantizer writer, EdgeBlocks.Block block, boolean flushes) {
        if (!flushes) {
            return writer.quantize(block.u(), block.r());
        }
        try (var _ = FlushToZero.on()) {
            return writer.quantize(block.u(), block.r());
        }
    }

    private void read(QuantizedReader reader, TableQuantizer writer, MemorySegment held, int count, boolean flushes)
            throws CorruptBlockException {
        frame.clear();
        writer.write(frame);
        byte[] bytes = frame.contents().toArray(ValueLayout.JAVA_BYTE);
        var in = new FrameReader(bytes, 0, bytes.length);
        if (!flushes) {
            reader.applyTable(in, ElementType.FLOAT32, held, count);
            return;
        }
        try (var _ = FlushToZero.on()) {
            reader.applyTable(in, ElementType.FLOAT32, held, count);
        }
    }

    private static List<Scheme> schemes() {
        var schemes = new ArrayList<Scheme>();
        for (float step : new float[] {1e-30f, 1e-28f, 0.01f}) {
            schemes.add(new Scheme.Uniform(UniformSetting.ofStep(step)));
        }
        for (int bits = 1; bits <= 8; bits++) {
            schemes.add(new Scheme.Exponent(bits));
        }
        return schemes;
    }
}
