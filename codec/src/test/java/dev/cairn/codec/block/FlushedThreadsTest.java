package dev.cairn.codec.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.EdgeBlocks;
import dev.cairn.codec.ElementType;
import dev.cairn.codec.FlushToZero;
import dev.cairn.codec.Frame;
import dev.cairn.codec.lossy.LogQuantizer;
import dev.cairn.codec.lossy.TableQuantizer;
import dev.cairn.codec.lossy.TableQuantizer.Scheme;
import dev.cairn.codec.lossy.kernel.UniformSetting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A reader holds the same values as the writer, bit for bit, no matter which of their threads flush subnormal numbers
/// to zero.
class FlushedThreadsTest {
    private static final int[] COUNTS = {1, 65, 300};
    private static final int SEEDS = 2;

    @BeforeEach
    void needsTheMode() {
        FlushToZero.assumeSupported();
    }

    @ParameterizedTest
    @CsvSource({
        "FLOAT64, false, false", "FLOAT64, false, true", "FLOAT64, true, false", "FLOAT64, true, true",
        "FLOAT32, false, false", "FLOAT32, false, true", "FLOAT32, true, false", "FLOAT32, true, true",
        "FLOAT16, false, false", "FLOAT16, false, true", "FLOAT16, true, false", "FLOAT16, true, true",
        "BFLOAT16, false, false", "BFLOAT16, false, true", "BFLOAT16, true, false", "BFLOAT16, true, true"
    })
    void readersHoldWhatWritersHold(ElementType type, boolean writerFlushes, boolean readerFlushes)
            throws CorruptBlockException {
        var decoder = new BlockDecoder();
        var frame = new Frame();
        for (var encoder : encoders(type).entrySet()) {
            for (EdgeBlocks.Kind kind : EdgeBlocks.Kind.values()) {
                for (int round = 0; round < COUNTS.length * SEEDS; round++) {
                    int count = COUNTS[round % COUNTS.length];
                    String context = "%s %s %s count=%d seed=%d".formatted(type, encoder.getKey(), kind, count, round);
                    var block = EdgeBlocks.of(type, kind, count, round);
                    MemorySegment before = copy(block.r());
                    write(encoder.getValue(), block, frame, writerFlushes);
                    MemorySegment reader = copy(before);
                    byte[] bytes = frame.contents().toArray(ValueLayout.JAVA_BYTE);
                    read(decoder, bytes, type, reader, readerFlushes, context);
                    assertThat(reader.mismatch(block.r())).as(context).isEqualTo(-1);
                    if (!(encoder.getValue() instanceof ZeroEncoder)) {
                        assertUnmovedBitsStay(type, block, before, count, context);
                    }
                    if (encoder.getValue() instanceof ExactEncoder) {
                        assertThat(reader.mismatch(block.u())).as(context).isEqualTo(-1);
                    }
                }
            }
        }
    }

    private static void write(BlockEncoder encoder, EdgeBlocks.Block block, Frame frame, boolean flushes) {
        if (!flushes) {
            encoder.encode(block.u(), block.r(), frame);
            return;
        }
        try (var _ = FlushToZero.on()) {
            encoder.encode(block.u(), block.r(), frame);
            assertThat(FlushToZero.isOn()).isTrue();
        }
    }

    private static void read(
            BlockDecoder decoder, byte[] bytes, ElementType type, MemorySegment r, boolean flushes, String context)
            throws CorruptBlockException {
        try {
            if (!flushes) {
                decoder.apply(bytes, 0, bytes.length, type, r);
                return;
            }
            try (var _ = FlushToZero.on()) {
                decoder.apply(bytes, 0, bytes.length, type, r);
                assertThat(FlushToZero.isOn()).isTrue();
            }
        } catch (CorruptBlockException e) {
            throw new AssertionError(context, e);
        }
    }

    private static void assertUnmovedBitsStay(
            ElementType type, EdgeBlocks.Block block, MemorySegment before, int count, String context) {
        for (int i = 0; i < count; i++) {
            long live = EdgeBlocks.bits(block.u(), type, i);
            if (live == EdgeBlocks.bits(before, type, i)) {
                assertThat(EdgeBlocks.bits(block.r(), type, i)).as(context).isEqualTo(live);
            }
        }
    }

    private static Map<String, BlockEncoder> encoders(ElementType type) {
        var encoders = new LinkedHashMap<String, BlockEncoder>();
        for (ExactEncoder.Basis basis : ExactEncoder.Basis.values()) {
            encoders.put(basis.name(), new ExactEncoder(type, basis));
        }
        encoders.put("zero", new ZeroEncoder());
        for (float step : new float[] {1e-30f, 1e-5f, 0.01f, 1e30f}) {
            encoders.put("uq step " + step, table(type, new Scheme.Uniform(UniformSetting.ofStep(step))));
        }
        for (int bits = 1; bits <= 8; bits++) {
            encoders.put("lc:" + bits, table(type, new Scheme.Exponent(bits)));
        }
        if (type == ElementType.FLOAT32) {
            encoders.put("log 22", new LossyEncoder(type, new LogQuantizer(22)));
            encoders.put("log 23", new LossyEncoder(type, new LogQuantizer(23)));
        }
        return encoders;
    }

    private static BlockEncoder table(ElementType type, Scheme scheme) {
        return new LossyEncoder(type, new TableQuantizer(type, scheme));
    }

    private static MemorySegment copy(MemorySegment segment) {
        return Arena.ofAuto().allocate(segment.byteSize(), 1).copyFrom(segment);
    }
}
