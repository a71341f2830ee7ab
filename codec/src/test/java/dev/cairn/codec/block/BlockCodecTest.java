package dev.cairn.codec.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.ElementType;
import dev.cairn.codec.Frame;
import dev.cairn.codec.Selection;
import dev.cairn.codec.lossy.Codebook;
import dev.cairn.codec.lossy.LeastSquaresQuantizer;
import dev.cairn.codec.lossy.LeastSquaresQuantizer.Range;
import dev.cairn.codec.lossy.LloydMax.Zero;
import dev.cairn.codec.lossy.LogQuantizer;
import dev.cairn.codec.lossy.PrunedQuantizer;
import dev.cairn.codec.lossy.TableQuantizer;
import dev.cairn.codec.lossy.TableQuantizer.Scheme;
import dev.cairn.codec.lossy.kernel.UniformSetting;
import dev.cairn.codec.sparse.SparseBlock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The law of every encoder: a reader ends with the writer's reference, bit for bit. For exact encoders, that is the
/// live values.
class BlockCodecTest {
    private static final int[] COUNTS = {1, 2, 7, 8, 9, 63, 64, 65, 1000, 1025, 16_384};
    private static final UniformSetting SETTING = UniformSetting.ofStep(0.0017f);

    @ParameterizedTest
    @EnumSource(ElementType.class)
    void readersHoldWhatWritersHold(ElementType type) throws CorruptBlockException {
        var decoder = new BlockDecoder();
        for (BlockEncoder encoder : encoders(type)) {
            for (Corpus.Kind kind : Corpus.Kind.values()) {
                for (int count : COUNTS) {
                    check(type, encoder, decoder, kind, count);
                }
            }
        }
    }

    @Test
    void wholeBlocksToo() throws CorruptBlockException {
        var decoder = new BlockDecoder();
        for (ElementType type : ElementType.values()) {
            int count = BlockEncoder.blockBytes(type) / type.sizeBytes();
            for (BlockEncoder encoder : encoders(type)) {
                check(type, encoder, decoder, Corpus.Kind.TRAINED, count);
                if (type == ElementType.FLOAT32 || type == ElementType.BFLOAT16) {
                    check(type, encoder, decoder, Corpus.Kind.RANDOM, count);
                    check(type, encoder, decoder, Corpus.Kind.SCALED, count);
                }
            }
        }
    }

    /// More buckets than a table has room for.
    @Test
    void deltasOfAllMagnitudesGoIntoATable() throws CorruptBlockException {
        var type = ElementType.FLOAT32;
        float[] live = new float[1000];
        for (int i = 0; i < live.length; i++) {
            live[i] = (i % 2 == 0 ? 1 : -1) * Math.scalb(1 + i / 1000f, i % 200 / 2 - 80);
        }
        for (BlockEncoder encoder : encoders(type)) {
            MemorySegment u = Arena.ofAuto().allocateFrom(ValueLayout.JAVA_FLOAT, live);
            MemorySegment r = Arena.ofAuto().allocate(u.byteSize(), 4);
            MemorySegment reader = copy(r);
            var frame = new Frame();
            encoder.encode(u, r, frame);
            byte[] bytes = frame.contents().toArray(ValueLayout.JAVA_BYTE);
            new BlockDecoder().apply(bytes, 0, bytes.length, type, reader);
            assertThat(reader.mismatch(r)).isEqualTo(-1);
        }
    }

    private static void check(ElementType type, BlockEncoder encoder, BlockDecoder decoder, Corpus.Kind kind, int count)
            throws CorruptBlockException {
        String context = "%s %s %s count=%d".formatted(type, encoder.getClass().getSimpleName(), kind, count);
        var block = Corpus.block(type, kind, count, count);
        MemorySegment reader = copy(block.r());
        if (!encoder.needsReference()) {
            reader.fill((byte) 0x5a);
        }
        var frame = new Frame();
        encoder.encode(block.u(), block.r(), frame);
        byte[] bytes = frame.contents().toArray(ValueLayout.JAVA_BYTE);
        assertThat(bytes.length).as(context).isLessThanOrEqualTo((int) block.u().byteSize() + 5);
        decoder.apply(bytes, 0, bytes.length, type, reader);
        assertThat(reader.mismatch(block.r())).as(context).isEqualTo(-1);
        if (encoder instanceof ExactEncoder) {
            assertThat(reader.mismatch(block.u())).as(context).isEqualTo(-1);
        }
    }

    /// As a difference of bit patterns, it would take more than 20 bits per element.
    @Test
    void powersOfTwoTakeFewBits() {
        int count = 1 << 16;
        var block = Corpus.block(ElementType.FLOAT32, Corpus.Kind.SCALED, count, 1);
        var frame = new Frame();
        new ExactEncoder(ElementType.FLOAT32, ExactEncoder.Basis.REFERENCE).encode(block.u(), block.r(), frame);
        assertThat(8.0 * frame.size() / count).isLessThan(7);
    }

    /// Every flipped bit and every truncation of small frames gives a typed error or the values that the writer held.
    @ParameterizedTest
    @EnumSource(names = {"TRAINED", "SCALED"})
    void damageIsFoundOrHarmless(Corpus.Kind kind) {
        var decoder = new BlockDecoder();
        for (ElementType type : List.of(ElementType.FLOAT32, ElementType.BFLOAT16, ElementType.INT64)) {
            for (BlockEncoder encoder : encoders(type)) {
                var block = Corpus.block(type, kind, 70, 3);
                MemorySegment before = copy(block.r());
                var frame = new Frame();
                encoder.encode(block.u(), block.r(), frame);
                byte[] good = frame.contents().toArray(ValueLayout.JAVA_BYTE);
                for (int bit = 0; bit < 8 * good.length; bit++) {
                    byte[] bad = good.clone();
                    bad[bit / 8] = (byte) (bad[bit / 8] ^ (1 << (bit % 8)));
                    assertSafe(decoder, type, bad, before, block.r(), "bit " + bit);
                }
                for (int length = 0; length < good.length; length++) {
                    assertSafe(decoder, type, Arrays.copyOf(good, length), before, block.r(), "length " + length);
                }
            }
        }
    }

    @Test
    void garbageIsATypedError() {
        var decoder = new BlockDecoder();
        for (int seed = 0; seed < 20_000; seed++) {
            var random = new Random(seed);
            byte[] garbage = new byte[random.nextInt(64)];
            random.nextBytes(garbage);
            if (garbage.length > 0) {
                garbage[0] = (byte) random.nextInt(12);
            }
            MemorySegment r = MemorySegment.ofArray(new byte[4 * 70]);
            try {
                decoder.apply(garbage, 0, garbage.length, ElementType.FLOAT32, r);
                fail("garbage of seed " + seed + " was believed");
            } catch (CorruptBlockException expected) {
                assertThat(expected).hasMessageContaining("offset");
            }
        }
    }

    private static void assertSafe(
            BlockDecoder decoder,
            ElementType type,
            byte[] frame,
            MemorySegment before,
            MemorySegment expected,
            String what) {
        MemorySegment reader = copy(before);
        try {
            decoder.apply(frame, 0, frame.length, type, reader);
            assertThat(reader.mismatch(expected)).as(what).isEqualTo(-1);
        } catch (CorruptBlockException found) {
            assertThat(found).hasMessageContaining("offset");
        }
    }

    private static List<BlockEncoder> encoders(ElementType type) {
        var encoders = new ArrayList<BlockEncoder>();
        for (ExactEncoder.Basis basis : ExactEncoder.Basis.values()) {
            encoders.add(new ExactEncoder(type, basis));
        }
        encoders.add(new ZeroEncoder());
        if (type.isFloating()) {
            encoders.add(new LossyEncoder(type, new TableQuantizer(type, new Scheme.Uniform(SETTING))));
            for (int bits : new int[] {1, 3, 4, 5, 8}) {
                encoders.add(new LossyEncoder(type, new TableQuantizer(type, new Scheme.Exponent(bits))));
            }
        }
        if (type == ElementType.FLOAT32) {
            encoders.add(new LossyEncoder(type, new LogQuantizer(22)));
            encoders.add(new LossyEncoder(type, new LeastSquaresQuantizer(type, 2, Range.NOT_NEGATIVE)));
        }
        if (type.isFloating()) {
            encoders.addAll(yardsticks(type));
        }
        return encoders;
    }

    private static List<BlockEncoder> yardsticks(ElementType type) {
        var encoders = new ArrayList<BlockEncoder>();
        for (int bits : new int[] {1, 3, 7}) {
            encoders.add(new LossyEncoder(type, new LeastSquaresQuantizer(type, bits, Range.ANY)));
        }
        for (int run : new int[] {1, 7, 300, 100_000}) {
            encoders.add(new SparseEncoder(type, selection(run), new SparseBlock()));
        }
        var book = new Codebook(new float[] {-0.002f, -0.001f, 0.0005f, 0.003f}, Zero.ABSENT);
        for (PrunedQuantizer.Of of : PrunedQuantizer.Of.values()) {
            var quantizer = new PrunedQuantizer(type, of, selection(1), book, new PrunedQuantizer.Workspace());
            encoders.add(new LossyEncoder(type, quantizer));
        }
        // Blocks may start anywhere in their tensor.
        encoders.forEach(encoder -> encoder.startAt(5));
        return encoders;
    }

    private static Selection selection(int run) {
        var selection = new Selection(run, 70_000);
        var random = new Random(run);
        for (long i = 0; i < selection.runs(); i++) {
            if (random.nextInt(10) == 0) {
                selection.add(i);
            }
        }
        return selection;
    }

    private static MemorySegment copy(MemorySegment segment) {
        return Arena.ofAuto().allocate(segment.byteSize(), 1).copyFrom(segment);
    }
}
