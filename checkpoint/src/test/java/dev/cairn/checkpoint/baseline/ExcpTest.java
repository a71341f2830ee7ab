package dev.cairn.checkpoint.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.Frame;
import dev.cairn.codec.Selection;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.store.Role;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ExcpTest {
    /// Computed by hand: median |w| = 2, so a residual stays if |δ|·√v > 1e-4; mean |m| = 1, so a moment stays if
    /// |m| > 2.
    private static final float[] LIVE = {1, -2, 2, 3, -4};

    private static final float[] BEFORE = {0.5f, -2, 2.5f, 2.5f, -3.5f};
    private static final float[] M = {0.5f, -2.5f, 0, -2, 0};
    private static final float[] V = {1, 1, 1e-9f, 1e-4f, 0};
    private static final TensorPair WEIGHT = Tensors.vector("a/w", Role.WEIGHT, LIVE, BEFORE);
    private static final TensorPair FIRST = Tensors.vector("m/a/w", Role.FIRST_MOMENT, M, new float[5]);
    private static final TensorPair SECOND = Tensors.vector("v/a/w", Role.SECOND_MOMENT, V, new float[5]);

    @Test
    void keepsWhatTheRuleSays() {
        var masks = ExcpMasks.of(new Parameter(WEIGHT, FIRST, SECOND));
        // Not kept: element 1 (no residual), 2 (√v is 3e-5), 4 (v is 0).
        assertThat(kept(masks.weight())).containsExactly(true, false, false, true, false);
        // |m| of element 3 is 2, which is not above 2; |m| of element 1 is, but its residual is pruned.
        assertThat(kept(masks.moments())).containsExactly(false, false, false, false, false);
        TensorPair larger =
                Tensors.vector("m/a/w", Role.FIRST_MOMENT, new float[] {0.5f, 0, 0, -2.5f, 0}, new float[5]);
        assertThat(kept(ExcpMasks.of(new Parameter(WEIGHT, larger, SECOND)).moments()))
                .containsExactly(false, false, false, true, false);
    }

    @Test
    void withoutSecondMomentItCountsAsOne() {
        var masks = ExcpMasks.of(new Parameter(WEIGHT, FIRST, null));
        assertThat(kept(masks.weight())).containsExactly(true, false, true, true, true);
    }

    @Test
    void momentsAreFoundByTheNameOfTheirWeight() {
        TensorPair other = Tensors.vector("w", Role.WEIGHT, LIVE, BEFORE);
        TensorPair stray = Tensors.vector("m/x", Role.FIRST_MOMENT, M, M);
        List<Parameter> parameters = Parameter.of(List.of(other, WEIGHT, FIRST, stray, SECOND));
        assertThat(parameters).containsExactly(new Parameter(other, null, null), new Parameter(WEIGHT, FIRST, SECOND));
    }

    @Test
    void prunedWeightsStayAndPrunedMomentsBecomeZero() {
        int count = 5000;
        float[] reference = Tensors.random(1, count, 0.05);
        float[] live = Tensors.random(2, count, 0.001);
        float[] second = new float[count];
        for (int i = 0; i < count; i++) {
            live[i] += reference[i];
            second[i] = i % 2 == 0 ? 1e-3f : 1e-16f;
        }
        TensorPair weight = Tensors.vector("w", Role.WEIGHT, live, reference.clone());
        TensorPair m = Tensors.vector("m/w", Role.FIRST_MOMENT, Tensors.random(3, count, 0.01), reference.clone());
        TensorPair v = Tensors.vector("v/w", Role.SECOND_MOMENT, second, reference.clone());
        ExcpMasks masks = ExcpMasks.of(new Parameter(weight, m, v));
        encodeAll(List.of(weight, m, v));
        for (int i = 0; i < count; i++) {
            if (!masks.weight().contains(i)) {
                assertThat(reference(weight, i)).isEqualTo(reference[i]);
            }
            assertThat(reference(m, i) != 0).isEqualTo(masks.moments().contains(i));
            assertThat(reference(v, i)).isEqualTo(masks.moments().contains(i) ? 1e-3f : 0);
        }
        assertThat(masks.weight().elements()).isBetween(2000L, 2500L);
        assertThat(masks.moments().elements()).isBetween(200L, 500L);
        long different = m.reference()
                .elements(ValueLayout.JAVA_FLOAT)
                .map(element -> element.get(ValueLayout.JAVA_FLOAT, 0))
                .distinct()
                .count();
        assertThat(different).isEqualTo(Excp.CENTRES + 1);
    }

    private static void encodeAll(List<TensorPair> state) {
        Map<String, BlockEncoder> encoders = new Excp().prepare(state);
        assertThat(encoders).hasSameSizeAs(state);
        for (TensorPair tensor : state) {
            Objects.requireNonNull(encoders.get(tensor.spec().name()))
                    .encode(tensor.live(), tensor.reference(), new Frame());
        }
    }

    private static float reference(TensorPair tensor, int i) {
        return tensor.reference().getAtIndex(ValueLayout.JAVA_FLOAT, i);
    }

    private static boolean[] kept(Selection selection) {
        boolean[] kept = new boolean[(int) selection.runs()];
        for (int i = 0; i < kept.length; i++) {
            kept[i] = selection.contains(i);
        }
        return kept;
    }
}
