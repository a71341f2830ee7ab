package dev.cairn.codec.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.block.SegmentTables;
import dev.cairn.codec.huffman.TableSet;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Patterns are found where rows have something in common, and only there. They are stored with the code tables.
class PatternsTest {
    @Test
    void explainWhatRowsHaveInCommon() {
        for (int seed = 0; seed < 5; seed++) {
            var matrix = new LowRank(128, 100, 3, seed);
            PatternSearch.Rows tests = matrix.everyOther(1);
            PatternSearch.Result found =
                    Objects.requireNonNull(new PatternSearch(100).next(matrix.everyOther(0), tests, 128));
            assertThat(found.patterns().count()).as("seed %d", seed).isBetween(3, 4);
            double rest = meanSquare(found.rest());
            assertThat(rest).as("seed %d", seed).isLessThan(1.5 * LowRank.NOISE * LowRank.NOISE);
            assertThat(rest).as("seed %d", seed).isLessThan(meanSquare(tests.deltas()) / 4);
        }
    }

    @Test
    void areNotUsedForRowsWithoutAnythingInCommon() {
        var noise = new LowRank(128, 100, 0, 1);
        assertThat(new PatternSearch(100).next(noise.everyOther(0), noise.everyOther(1), 128))
                .isNull();
    }

    @Test
    void areNotSearchedInDeltasThatAreNotFinite() {
        var matrix = new LowRank(128, 100, 3, 1);
        PatternSearch.Rows samples = matrix.everyOther(0);
        samples.deltas()[7] = Float.NaN;
        var search = new PatternSearch(100);
        assertThat(search.next(samples, matrix.everyOther(1), 128)).isNull();
        assertThat(search.next(matrix.everyOther(0), matrix.everyOther(1), 128)).isNotNull();
    }

    @Test
    void areReadAsWritten() throws CorruptBlockException {
        var tables = new SegmentTables(TableSet.empty(), List.of(found(100), found(17), found(33)));
        byte[] bytes = tables.toBytes();
        assertThat((long) bytes.length).isLessThanOrEqualTo(tables.mostBytes());
        SegmentTables read = SegmentTables.parse(bytes);
        assertThat(read.toBytes()).containsExactly(bytes);
        for (int i = 0; i < 3; i++) {
            assertThat(read.patterns().get(i).byColumn())
                    .containsExactly(tables.patterns().get(i).byColumn());
        }
    }

    @Test
    void everyTruncationIsATypedError() {
        byte[] bytes = new SegmentTables(TableSet.empty(), List.of(found(33))).toBytes();
        for (int length = 2; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> SegmentTables.parse(cut)).isInstanceOf(CorruptBlockException.class);
        }
    }

    /// A flipped bit makes other patterns, or a typed error; what is read is what a writer would write.
    @Test
    void everyFlippedBitIsATypedErrorOrOtherPatterns() {
        byte[] bytes = new SegmentTables(TableSet.empty(), List.of(found(33))).toBytes();
        int errors = 0;
        for (int bit = 8; bit < 8 * bytes.length; bit++) {
            byte[] bad = bytes.clone();
            bad[bit / 8] = (byte) (bad[bit / 8] ^ (1 << (bit % 8)));
            try {
                assertThat(SegmentTables.parse(bad).toBytes()).containsExactly(bad);
            } catch (CorruptBlockException found) {
                assertThat(found).hasMessageContaining("offset");
                errors++;
            }
        }
        assertThat(errors).isGreaterThan(30);
    }

    private static Patterns found(int columns) {
        var matrix = new LowRank(128, columns, 3, columns);
        return Objects.requireNonNull(
                        new PatternSearch(columns).next(matrix.everyOther(0), matrix.everyOther(1), 100_000))
                .patterns();
    }

    private static double meanSquare(float[] deltas) {
        double sum = 0;
        for (float delta : deltas) {
            sum += (double) delta * delta;
        }
        return sum / deltas.length;
    }
}
