package dev.cairn.store.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.ElementType;
import dev.cairn.store.Cuts;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CoverTest {
    private static final int ROUNDS = 300;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void anyPartIsCopiedFromAnyCut(int dimensions) {
        for (int seed = 0; seed < ROUNDS; seed++) {
            var random = new Random(seed);
            TensorSpec whole = whole(dimensions, random);
            List<TensorSpec> parts = Cuts.random(whole, 1 + random.nextInt(6), random);
            List<MemorySegment> values = values(parts, random);
            for (TensorSpec wanted : List.of(whole, Cuts.anyPart(whole, random))) {
                Cover cover = Cover.of(parts, wanted);
                assertThat(cover.missing()).as("seed %d", seed).isEmpty();
                assertThat(cover.repeats()).as("seed %d", seed).isEmpty();
                assertThat(copied(cover, parts, values, wanted))
                        .as("seed %d: %s of %s", seed, wanted, parts)
                        .isEqualTo(-1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void whatIsMissingAndWhatIsThereTwiceIsTold(int dimensions) {
        for (int seed = 0; seed < ROUNDS; seed++) {
            var random = new Random(seed);
            TensorSpec whole = whole(dimensions, random);
            List<TensorSpec> parts = new ArrayList<>();
            for (int i = 0; i < 1 + random.nextInt(4); i++) {
                parts.add(Cuts.anyPart(whole, random));
            }
            TensorSpec wanted = Cuts.anyPart(whole, random);
            Cover cover = Cover.of(parts, wanted);
            long elements = wanted.sizeBytes() / wanted.type().sizeBytes();
            int[] had = new int[(int) elements];
            for (TensorSpec part : parts) {
                count(part, wanted, had);
            }
            long missing = 0;
            long repeated = 0;
            for (int times : had) {
                missing += times == 0 ? 1 : 0;
                repeated += Math.max(0, times - 1);
            }
            assertThat(elements(cover.missing())).as("seed %d", seed).isEqualTo(missing);
            assertThat(elements(boxes(cover.fills()))).as("seed %d", seed).isEqualTo(elements - missing);
            assertThat(elements(boxes(cover.repeats()))).as("seed %d", seed).isEqualTo(repeated);
            int[] lacking = new int[(int) elements];
            for (TensorSpec part : TensorParts.missing(parts, wanted)) {
                count(part, wanted, lacking);
            }
            for (int i = 0; i < had.length; i++) {
                assertThat(lacking[i]).as("seed %d", seed).isEqualTo(had[i] == 0 ? 1 : 0);
            }
        }
    }

    @Test
    void runsAreAsLongAsBothLetThem() {
        TensorSpec whole = spec(List.of(6L, 5L, 4L));
        assertThat(runs(Cuts.across(whole, 0, 2).getLast(), whole)).containsExactly(1, 3 * 5 * 4 * 4);
        assertThat(runs(Cuts.part(whole, new long[] {0, 3, 0}, new long[] {6, 2, 4}), whole))
                .containsExactly(6, 2 * 4 * 4);
        assertThat(runs(Cuts.part(whole, new long[] {0, 0, 1}, new long[] {6, 5, 2}), whole))
                .containsExactly(6 * 5, 2 * 4);
    }

    @Test
    void partsOfOtherTensorsAreOfNoUse() {
        TensorSpec whole = spec(List.of(6L));
        var other = new TensorSpec("other", ElementType.FLOAT32, List.of(6L), Role.WEIGHT);
        var wider = new TensorSpec("w", ElementType.FLOAT64, List.of(6L), Role.WEIGHT);
        TensorSpec longer = Cuts.across(spec(List.of(7L)), 0, 2).getFirst();
        assertThat(TensorParts.missing(List.of(other, wider, longer), whole)).containsExactly(whole);
    }

    @Test
    void partsAreJoinedWhereTheyMakeUpTheWhole() {
        TensorSpec whole = spec(List.of(6L, 2L));
        var other = new TensorSpec("other", ElementType.INT8, List.of(), Role.BUFFER);
        List<TensorSpec> parts = Cuts.across(whole, 0, 3);
        var all = new ArrayList<TensorSpec>(parts);
        all.add(1, other);
        assertThat(TensorParts.joined(all)).containsExactly(whole, other);
        all.removeLast();
        assertThat(TensorParts.joined(all)).containsExactly(parts.get(0), parts.get(1), other);
    }

    /// Boxes within boxes, each shifted against all others: more holes than anybody would store.
    @Test
    void whatIsCutWildlyTakesNoTimeWithoutBound() {
        TensorSpec whole = spec(List.of(1000L, 1000L));
        var parts = new ArrayList<TensorSpec>();
        for (int i = 0; i < 200; i++) {
            for (int j = 0; j < 200; j++) {
                parts.add(Cuts.part(whole, new long[] {5L * i + 1, 5L * j + 1}, new long[] {1, 1}));
            }
        }
        assertThat(Cover.of(parts, whole).missing()).containsExactly(Box.of(whole));
    }

    private static List<Integer> runs(TensorSpec part, TensorSpec wanted) {
        var runs = new Runs(Box.of(part), Box.of(part), Box.of(wanted), 4);
        return List.of((int) runs.count(), (int) runs.bytes());
    }

    private static TensorSpec whole(int dimensions, Random random) {
        var shape = new ArrayList<Long>();
        for (int d = 0; d < dimensions; d++) {
            shape.add(1L + random.nextInt(7));
        }
        return spec(shape);
    }

    private static TensorSpec spec(List<Long> shape) {
        return new TensorSpec("w", ElementType.FLOAT32, shape, Role.WEIGHT);
    }

    private static List<MemorySegment> values(List<TensorSpec> parts, Random random) {
        var values = new ArrayList<MemorySegment>();
        for (TensorSpec part : parts) {
            byte[] bytes = new byte[(int) part.sizeBytes()];
            random.nextBytes(bytes);
            values.add(MemorySegment.ofArray(bytes));
        }
        return values;
    }

    /// Copies run by run; where that first differs from what it must be, or -1.
    private static long copied(Cover cover, List<TensorSpec> parts, List<MemorySegment> values, TensorSpec wanted) {
        MemorySegment target = MemorySegment.ofArray(new byte[(int) wanted.sizeBytes()]);
        for (Cover.Source source : cover.fills()) {
            MemorySegment from = values.get(parts.indexOf(source.part()));
            var runs = new Runs(source.box(), Box.of(source.part()), Box.of(wanted), 4);
            for (long run = 0; run < runs.count(); run++) {
                MemorySegment.copy(from, runs.inPart(run), target, runs.inWanted(run), runs.bytes());
                assertThat(runs.firstAfterInPart(runs.inPart(run))).isEqualTo(run);
                assertThat(runs.firstAfterInWanted(runs.inWanted(run) + runs.bytes() - 1))
                        .isEqualTo(run);
            }
        }
        return target.mismatch(Cuts.gather(parts, values, wanted));
    }

    private static void count(TensorSpec part, TensorSpec wanted, int[] had) {
        for (long i = 0; i < part.sizeBytes() / part.type().sizeBytes(); i++) {
            long place = Cuts.place(part, i, wanted);
            if (place >= 0) {
                had[(int) place]++;
            }
        }
    }

    private static List<Box> boxes(List<Cover.Source> sources) {
        return sources.stream().map(Cover.Source::box).toList();
    }

    private static long elements(List<Box> boxes) {
        return boxes.stream()
                .mapToLong(
                        box -> box.shape().stream().mapToLong(Long::longValue).reduce(1, (a, b) -> a * b))
                .sum();
    }
}
