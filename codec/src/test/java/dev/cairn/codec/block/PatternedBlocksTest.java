package dev.cairn.codec.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.ElementType;
import dev.cairn.codec.Frame;
import dev.cairn.codec.huffman.TableSet;
import dev.cairn.codec.lossy.PatternedQuantizer;
import dev.cairn.codec.lossy.TableQuantizer;
import dev.cairn.codec.lossy.TableQuantizer.Scheme;
import dev.cairn.codec.lossy.kernel.UniformSetting;
import dev.cairn.codec.pattern.AmountFinder;
import dev.cairn.codec.pattern.LowRank;
import dev.cairn.codec.pattern.MatrixPatterns;
import dev.cairn.codec.pattern.PatternBlock;
import dev.cairn.codec.pattern.PatternSearch;
import dev.cairn.codec.pattern.Patterns;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// A reader of blocks with patterns ends with the writer's reference, bit for bit, wherever a block begins.
class PatternedBlocksTest {
    private static final ElementType TYPE = ElementType.FLOAT32;
    private static final int ROWS = 96;
    private static final float STEP = 2 * LowRank.NOISE;
    private static final int PATTERNS = BlockMethod.PATTERNS.code();

    private final TableSet codes = TableSet.empty();
    private final BlockDecoder decoder = new BlockDecoder();
    private final Frame frame = new Frame();

    @Test
    void readersHoldWhatWritersHold() throws CorruptBlockException {
        for (int columns : new int[] {16, 50, 64, 100, 333}) {
            var matrix = new LowRank(ROWS, columns, 2, columns);
            Patterns patterns = patterns(matrix);
            BlockEncoder encoder = encoder(patterns);
            int total = ROWS * columns;
            for (int size : new int[] {total, 4 * columns, 5 * columns + 7, 4093, columns - 3, 1}) {
                String context = "%d columns, blocks of %d".formatted(columns, size);
                MemorySegment writer = copy(matrix.before());
                for (int from = 0; from < total; from += Math.max(size, total / 7)) {
                    long offset = 4L * from;
                    long bytes = 4L * Math.min(size, total - from);
                    encoder.startAt(from);
                    MemorySegment reader = copy(writer.asSlice(offset, bytes));
                    encoder.encode(matrix.live().asSlice(offset, bytes), writer.asSlice(offset, bytes), frame);
                    apply(patterns, bytesOf(frame), reader);
                    assertThat(reader.mismatch(writer.asSlice(offset, bytes)))
                            .as(context)
                            .isEqualTo(-1);
                    if (bytes >= 16L * columns) {
                        assertThat((int) bytesOf(frame)[0]).as(context).isEqualTo(PATTERNS);
                    }
                }
            }
        }
    }

    @Test
    void takeFewerBitsForASmallerError() {
        var matrix = new LowRank(ROWS, 333, 2, 1);
        MemorySegment r = copy(matrix.before());
        BlockEncoder plain = new LossyEncoder(TYPE, table(), codes);
        plain.encode(matrix.live(), r, frame);
        int size = frame.size();
        double error = plain.takeDistortion().errorSquares();
        r.copyFrom(matrix.before());
        BlockEncoder patterned = encoder(patterns(matrix));
        patterned.encode(matrix.live(), r, frame);
        assertThat(frame.size()).isLessThan(size * 6 / 10);
        assertThat(patterned.takeDistortion().errorSquares()).isLessThan(error);
    }

    /// On some threads, sums with them would be zero.
    @Test
    void blocksWithSubnormalValuesHaveNone() throws CorruptBlockException {
        var matrix = new LowRank(ROWS, 50, 2, 1);
        matrix.live().setAtIndex(ValueLayout.JAVA_FLOAT, 1234, Float.MIN_VALUE);
        matrix.before().setAtIndex(ValueLayout.JAVA_FLOAT, 1234, Float.MIN_VALUE);
        Patterns patterns = patterns(matrix);
        MemorySegment r = copy(matrix.before());
        encoder(patterns).encode(matrix.live(), r, frame);
        assertThat((int) bytesOf(frame)[0]).isEqualTo(BlockMethod.TABLE.code());
        assertThat(r.getAtIndex(ValueLayout.JAVA_FLOAT, 1234)).isEqualTo(Float.MIN_VALUE);
        MemorySegment reader = copy(matrix.before());
        apply(patterns, bytesOf(frame), reader);
        assertThat(reader.mismatch(r)).isEqualTo(-1);
    }

    @Test
    void blocksWithValuesThatAreNotFiniteAreExact() throws CorruptBlockException {
        for (float value : new float[] {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY}) {
            for (boolean live : new boolean[] {true, false}) {
                var matrix = new LowRank(ROWS, 50, 2, 1);
                Patterns patterns = patterns(matrix);
                (live ? matrix.live() : matrix.before()).setAtIndex(ValueLayout.JAVA_FLOAT, 1234, value);
                MemorySegment r = copy(matrix.before());
                encoder(patterns).encode(matrix.live(), r, frame);
                assertThat(r.mismatch(matrix.live())).isEqualTo(-1);
                MemorySegment reader = copy(matrix.before());
                apply(patterns, bytesOf(frame), reader);
                assertThat(reader.mismatch(r)).isEqualTo(-1);
            }
        }
    }

    /// Every flipped bit and every truncation gives a typed error or the values that the writer held.
    @Test
    void damageIsFoundOrHarmless() {
        var matrix = new LowRank(ROWS, 16, 2, 5);
        Patterns patterns = patterns(matrix);
        BlockEncoder encoder = encoder(patterns);
        encoder.startAt(5);
        int bytes = 4 * 200;
        MemorySegment r = copy(matrix.before().asSlice(20, bytes));
        encoder.encode(matrix.live().asSlice(20, bytes), r, frame);
        byte[] good = bytesOf(frame);
        assertThat((int) good[0]).isEqualTo(PATTERNS);
        int found = 0;
        for (int bit = 0; bit < 8 * good.length; bit++) {
            byte[] bad = good.clone();
            bad[bit / 8] = (byte) (bad[bit / 8] ^ (1 << (bit % 8)));
            found += isFound(patterns, bad, matrix, r) ? 1 : 0;
        }
        assertThat(found).isGreaterThan(6 * good.length);
        for (int length = 0; length < good.length; length++) {
            assertThat(isFound(patterns, Arrays.copyOf(good, length), matrix, r))
                    .isTrue();
        }
    }

    private boolean isFound(Patterns patterns, byte[] bad, LowRank matrix, MemorySegment expected) {
        MemorySegment reader = copy(matrix.before().asSlice(20, expected.byteSize()));
        try {
            apply(patterns, bad, reader);
            assertThat(reader.mismatch(expected)).isEqualTo(-1);
            return false;
        } catch (CorruptBlockException error) {
            assertThat(error).hasMessageContaining("offset");
            return true;
        }
    }

    private void apply(Patterns patterns, byte[] bytes, MemorySegment reader) throws CorruptBlockException {
        decoder.use(new SegmentTables(codes, List.of(patterns)));
        decoder.apply(bytes, 0, bytes.length, TYPE, reader);
    }

    private BlockEncoder encoder(Patterns patterns) {
        var matrix = new MatrixPatterns(patterns, 0);
        return new LossyEncoder(
                TYPE,
                new PatternedQuantizer(table(), new AmountFinder(), new PatternBlock(codes), matrix, STEP),
                codes);
    }

    private TableQuantizer table() {
        return new TableQuantizer(TYPE, new Scheme.Uniform(UniformSetting.ofStep(STEP)), codes);
    }

    private static Patterns patterns(LowRank matrix) {
        return Objects.requireNonNull(
                        new PatternSearch(matrix.columns()).next(matrix.everyOther(0), matrix.everyOther(1), 100_000))
                .patterns();
    }

    private static byte[] bytesOf(Frame frame) {
        return frame.contents().toArray(ValueLayout.JAVA_BYTE);
    }

    private static MemorySegment copy(MemorySegment segment) {
        return Arena.ofAuto().allocate(segment.byteSize(), 4).copyFrom(segment);
    }
}
