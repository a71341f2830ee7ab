package dev.cairn.checkpoint.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.checkpoint.baseline.MostChanged.Unit;
import dev.cairn.codec.Selection;
import dev.cairn.store.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MostChangedTest {
    private static final Offset<Double> A_HUNDREDTH = within(0.01);

    @ParameterizedTest
    @ValueSource(doubles = {0.001, 0.05, 0.1, 0.5, 1})
    void savesTheFraction(double fraction) {
        List<TensorPair> tensors = twoTensors();
        for (Unit unit : Unit.values()) {
            long saved = new MostChanged(fraction, unit)
                    .select(tensors).stream().mapToLong(Selection::elements).sum();
            assertThat(saved / 270_000.0).isLessThanOrEqualTo(fraction);
            double least = unit == Unit.ELEMENT ? 0.99 * fraction : 0.99 * fraction - 300 / 270_000.0;
            assertThat(saved / 270_000.0).isGreaterThanOrEqualTo(least);
        }
    }

    @Test
    void savesTheElementsThatChangedMost() {
        List<TensorPair> tensors = twoTensors();
        List<Selection> selections = new MostChanged(0.05, Unit.ELEMENT).select(tensors);
        var saved = new ArrayList<Double>();
        var left = new ArrayList<Double>();
        for (int t = 0; t < tensors.size(); t++) {
            for (long i = 0; i < tensors.get(t).elements(); i++) {
                (selections.get(t).contains(i) ? saved : left)
                        .add(Math.abs(tensors.get(t).delta(i)));
            }
        }
        double least = saved.stream().mapToDouble(x -> x).min().orElseThrow();
        double most = left.stream().mapToDouble(x -> x).max().orElseThrow();
        assertThat(saved).hasSize(13_500);
        assertThat(least).isGreaterThanOrEqualTo(most);
    }

    @Test
    void savesTheRowsThatChangedMost() {
        float[] live = new float[40];
        Arrays.fill(live, 4, 8, 1f);
        live[17] = 3;
        live[38] = 1.5f;
        TensorPair tensor = Tensors.of("w", Role.WEIGHT, List.of(10L, 2L, 2L), live, new float[40]);
        Selection saved = new MostChanged(0.2, Unit.ROW).select(List.of(tensor)).getFirst();
        assertThat(saved.run()).isEqualTo(4);
        assertThat(saved.elements()).isEqualTo(8);
        assertThat(saved.contains(4)).isTrue();
        assertThat(saved.contains(1)).isTrue();
    }

    @Test
    void savesNothingThatDidNotChange() {
        float[] live = new float[2000];
        live[1234] = 1e-30f;
        TensorPair tensor = Tensors.vector("w", Role.WEIGHT, live, new float[2000]);
        assertThat(new MostChanged(1, Unit.ELEMENT)
                        .select(List.of(tensor))
                        .getFirst()
                        .elements())
                .isEqualTo(1);
    }

    /// If all changes are equal, as many as fit are selected.
    @Test
    void equalChangesDoNotExceedTheFraction() {
        float[] live = new float[2000];
        Arrays.fill(live, 0.5f);
        TensorPair tensor = Tensors.vector("w", Role.WEIGHT, live, new float[2000]);
        assertThat(new MostChanged(0.1, Unit.ELEMENT)
                        .select(List.of(tensor))
                        .getFirst()
                        .elements())
                .isEqualTo(200);
    }

    @Test
    void everyRoleHasItsFraction() {
        TensorPair weight = Tensors.vector("w", Role.WEIGHT, Tensors.random(1, 5000, 1), new float[5000]);
        TensorPair moment = Tensors.vector("v/w", Role.SECOND_MOMENT, Tensors.random(2, 5000, 1e-9), new float[5000]);
        var baseline = new MostChanged(0.1, Unit.ELEMENT);
        assertThat(baseline.prepare(List.of(weight, moment))).containsOnlyKeys("w", "v/w");
        for (TensorPair tensor : List.of(weight, moment)) {
            double share = baseline.select(List.of(tensor)).getFirst().elements() / 5000.0;
            assertThat(share).isCloseTo(0.1, A_HUNDREDTH);
        }
    }

    private static List<TensorPair> twoTensors() {
        return List.of(
                Tensors.of(
                        "a",
                        Role.WEIGHT,
                        List.of(800L, 300L),
                        Tensors.random(1, 240_000, 1),
                        Tensors.random(2, 240_000, 1)),
                Tensors.of(
                        "b",
                        Role.WEIGHT,
                        List.of(1500L, 20L),
                        Tensors.random(3, 30_000, 3),
                        Tensors.random(4, 30_000, 3)));
    }
}
