package dev.cairn.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.engine.Activation;
import dev.cairn.engine.Architectures;
import dev.cairn.engine.Batch;
import dev.cairn.engine.CounterRandom;
import dev.cairn.engine.Engine;
import dev.cairn.engine.Layer;
import dev.cairn.engine.LocalLearner;
import dev.cairn.engine.Model;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.OptimizerSpec.Rule;
import dev.cairn.engine.Parameter;
import dev.cairn.engine.StateOwner;
import dev.cairn.engine.Update;
import dev.cairn.store.Role;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TorchLearnerTest {
    private static final int BATCH = 8;
    private static final int PIXELS = 28 * 28;
    private static final double RATE = 0.01;
    private static final Engine TORCH = new TorchEngine();
    private static final Model LENET = Architectures.lenet5(Activation.RELU, 10);

    private final Arena arena = Arena.ofAuto();

    @Test
    void startsFromTheWeightsThatSeedAndNameDecide() {
        try (LocalLearner learner = TORCH.learner(LENET, OptimizerSpec.of("sgd"), 7, 1)) {
            List<LiveTensor> weights = ofRole(learner, Role.WEIGHT);
            assertThat(weights).hasSameSizeAs(LENET.parameters());
            for (int i = 0; i < weights.size(); i++) {
                Parameter parameter = LENET.parameters().get(i);
                assertThat(weights.get(i).spec().name()).isEqualTo(parameter.name());
                assertThat(weights.get(i).spec().shape()).isEqualTo(parameter.shape());
                assertThat(floats(weights.get(i))).isEqualTo(parameter.initialValues(7));
            }
            assertThat(weights.stream()
                            .mapToLong(t -> t.memory().byteSize() / 4)
                            .sum())
                    .isEqualTo(61_706);
        }
    }

    @Test
    void tellsOfTheUpdateAfterTheBackwardPassAndBeforeAnythingChanges() {
        try (LocalLearner learner = TORCH.learner(LENET, OptimizerSpec.of("adam"), 7, 1)) {
            List<LiveTensor> live = learner.tensors();
            learner.step(batch(1), at(1));
            List<float[]> before = trained(live);
            List<List<float[]>> told = new ArrayList<>();
            learner.step(batch(2), at(2), () -> told.add(trained(live)));
            assertThat(told).hasSize(1);
            List<float[]> after = trained(live);
            for (int i = 0; i < before.size(); i++) {
                assertThat(told.getFirst().get(i)).isEqualTo(before.get(i));
                assertThat(after.get(i)).isNotEqualTo(before.get(i));
            }
        }
    }

    private static List<float[]> trained(List<LiveTensor> tensors) {
        return tensors.stream()
                .filter(tensor -> tensor.spec().role() != Role.RNG)
                .map(TorchLearnerTest::floats)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sgd", "momentum", "adam"})
    void aStepIsTheArithmeticOfItsOptimizer(String name) {
        OptimizerSpec spec = OptimizerSpec.of(name);
        float[] first;
        float[] second;
        float[] third;
        try (LocalLearner learner = TORCH.learner(LENET, spec, 3, 1)) {
            LiveTensor bias = bias(learner);
            first = floats(bias);
            learner.step(batch(1), at(1));
            second = floats(bias);
            learner.step(batch(2), at(2));
            third = floats(bias);
        }
        // Plain gradient descent gives the gradients: its update is the gradient times the rate.
        double[] gradient1 = gradient(3, List.of(), 1);
        double[] m = new double[first.length];
        double[] v = new double[first.length];
        for (int i = 0; i < first.length; i++) {
            assertThat((double) second[i] - first[i]).isCloseTo(update(spec, gradient1[i], m, v, i, 1), within(2e-6));
        }
        if (spec.rule() instanceof Rule.Sgd) {
            double[] gradient2 = gradient(3, List.of(batch(1)), 2);
            for (int i = 0; i < first.length; i++) {
                assertThat((double) third[i] - second[i])
                        .isCloseTo(update(spec, gradient2[i], m, v, i, 2), within(2e-6));
            }
        }
    }

    @Test
    void theSameSeedAndThreadsGiveTheSameBits() {
        assertThat(trained(2)).containsExactlyElementsOf(trained(2));
        assertThat(trained(1)).containsExactlyElementsOf(trained(1));
    }

    @Test
    void restoredTensorsTakeEffect() {
        try (LocalLearner learner = TORCH.learner(LENET, OptimizerSpec.of("adam"), 1, 1)) {
            learner.step(batch(1), at(1));
            List<byte[]> saved = copies(learner.tensors());
            float expected = learner.step(batch(2), at(2));
            List<byte[]> after = copies(learner.tensors());
            learner.step(batch(3), at(3));
            List<LiveTensor> live = learner.tensors();
            for (int i = 0; i < live.size(); i++) {
                live.get(i).memory().copyFrom(MemorySegment.ofArray(saved.get(i)));
            }
            learner.tensorsRestored();
            assertThat(learner.step(batch(2), at(2))).isEqualTo(expected);
            assertThat(copies(learner.tensors())).containsExactlyElementsOf(after);
        }
    }

    @Test
    void theRandomGeneratorIsPartOfTheState() {
        try (LocalLearner learner = TORCH.learner(LENET, OptimizerSpec.of("sgd"), 1, 1)) {
            List<byte[]> saved = copies(learner.tensors());
            float drawn = random();
            assertThat(random()).isNotEqualTo(drawn);
            List<LiveTensor> live = learner.tensors();
            for (int i = 0; i < live.size(); i++) {
                live.get(i).memory().copyFrom(MemorySegment.ofArray(saved.get(i)));
            }
            learner.tensorsRestored();
            assertThat(random()).isEqualTo(drawn);
        }
    }

    @Test
    void anMlpLearnsABatchByHeart() {
        Model mlp = Architectures.fullyConnected(List.of(PIXELS, 32, 10));
        assertThat(mlp.parameters().stream().mapToLong(Parameter::count).sum()).isEqualTo(784 * 32 + 32 + 32 * 10 + 10);
        try (LocalLearner learner = TORCH.learner(mlp, OptimizerSpec.of("adam"), 1, 1)) {
            float first = learner.step(batch(1), at(1));
            for (int step = 2; step <= 40; step++) {
                learner.step(batch(1), at(step));
            }
            assertThat(learner.evaluate(batch(1)).loss()).isLessThan(0.1 * first);
        }
    }

    @Test
    void dropoutGoesOnWhereTheStateWasTaken() {
        Model dropping = new Model.Network(
                1,
                28,
                List.of(
                        new Layer.Flatten(),
                        new Layer.Dropout(0.5),
                        new Layer.Linear("fc1", PIXELS, 16),
                        new Layer.Activate(Activation.TANH),
                        new Layer.Dropout(0.25),
                        new Layer.Linear("fc2", 16, 10)));
        try (LocalLearner learner = TORCH.learner(dropping, OptimizerSpec.of("sgd"), 1, 1)) {
            learner.step(batch(1), at(1));
            List<byte[]> saved = copies(learner.tensors());
            float expected = learner.step(batch(2), at(2));
            restore(learner, saved);
            assertThat(learner.step(batch(2), at(2))).isEqualTo(expected);
            restore(learner, saved);
            random(); // another position of the generator drops other values
            assertThat(learner.step(batch(2), at(2))).isNotEqualTo(expected);
            double scored = learner.evaluate(batch(1)).loss();
            assertThat(learner.evaluate(batch(1)).loss()).isEqualTo(scored);
        }
    }

    @Test
    void gradientsAreCutToTheirNorm() {
        double[] full = gradient(3, List.of(), 1);
        float[] start;
        float[] end;
        double norm = 1e-3;
        try (LocalLearner learner = TORCH.learner(LENET, OptimizerSpec.of("sgd").withClipNorm(norm), 3, 1)) {
            double before = squares(learner, null);
            assertThat(before).isPositive();
            List<float[]> weights = ofRole(learner, Role.WEIGHT).stream()
                    .map(TorchLearnerTest::floats)
                    .toList();
            start = floats(bias(learner));
            learner.step(batch(1), at(1));
            end = floats(bias(learner));
            assertThat(Math.sqrt(squares(learner, weights)) / RATE).isCloseTo(norm, within(0.02 * norm));
        }
        double ratio = ((double) start[0] - end[0]) / RATE / full[0];
        assertThat(ratio).isBetween(0.0, 0.5);
        for (int i = 0; i < full.length; i++) {
            assertThat(((double) start[i] - end[i]) / RATE).isCloseTo(ratio * full[i], within(1e-5));
        }
    }

    @Test
    void decayPullsEveryWeightTowardsZero() {
        float[] plain = biasAfterAStep(OptimizerSpec.of("sgd"));
        float[] decayed = biasAfterAStep(OptimizerSpec.of("sgd").withWeightDecay(0.1));
        try (LocalLearner learner = TORCH.learner(LENET, OptimizerSpec.of("sgd"), 3, 1)) {
            float[] first = floats(bias(learner));
            for (int i = 0; i < first.length; i++) {
                assertThat((double) plain[i] - decayed[i]).isCloseTo(RATE * 0.1 * first[i], within(1e-7));
            }
        }
    }

    private float[] biasAfterAStep(OptimizerSpec spec) {
        try (LocalLearner learner = TORCH.learner(LENET, spec, 3, 1)) {
            learner.step(batch(1), at(1));
            return floats(bias(learner));
        }
    }

    @Test
    void unitsThatNothingActivatesAreDead() {
        Model network = Architectures.fullyConnected(List.of(PIXELS, 8, 10));
        try (LocalLearner learner = TORCH.learner(network, OptimizerSpec.of("sgd"), 1, 1)) {
            assertThat(learner.deadUnits()).isEmpty();
            MemorySegment bias = ofRole(learner, Role.WEIGHT).get(1).memory();
            bias.setAtIndex(ValueLayout.JAVA_FLOAT, 2, -1e6f);
            bias.setAtIndex(ValueLayout.JAVA_FLOAT, 5, -1e6f);
            for (int unit : new int[] {0, 1, 3, 4, 6, 7}) {
                bias.setAtIndex(ValueLayout.JAVA_FLOAT, unit, 1e6f);
            }
            learner.evaluate(batch(1));
            learner.evaluate(batch(2));
            assertThat(learner.deadUnits()).hasValue(2.0 / 8);
            assertThat(learner.deadUnits()).isEmpty();
        }
    }

    @Test
    void evaluatingChangesNothing() {
        try (LocalLearner learner = TORCH.learner(LENET, OptimizerSpec.of("sgd"), 1, 1)) {
            List<byte[]> before = copies(learner.tensors());
            assertThat(learner.evaluate(batch(1)).count()).isEqualTo(BATCH);
            assertThat(copies(learner.tensors())).containsExactlyElementsOf(before);
        }
    }

    /// The textbook update of one value.
    private static double update(OptimizerSpec spec, double gradient, double[] m, double[] v, int i, int step) {
        return switch (spec.rule()) {
            case Rule.Sgd _ -> -RATE * gradient;
            case Rule.Momentum(double momentum) -> {
                m[i] = momentum * m[i] + gradient;
                yield -RATE * m[i];
            }
            case Rule.Adam adam -> {
                m[i] = adam.beta1() * m[i] + (1 - adam.beta1()) * gradient;
                v[i] = adam.beta2() * v[i] + (1 - adam.beta2()) * gradient * gradient;
                double mean = m[i] / (1 - Math.pow(adam.beta1(), step));
                double square = v[i] / (1 - Math.pow(adam.beta2(), step));
                yield -RATE * mean / (Math.sqrt(square) + adam.epsilon());
            }
        };
    }

    private static Update at(long step) {
        return new Update(step, RATE);
    }

    private double[] gradient(long seed, List<Batch> before, int batch) {
        try (LocalLearner learner = TORCH.learner(LENET, OptimizerSpec.of("sgd"), seed, 1)) {
            for (Batch earlier : before) {
                learner.step(earlier, at(1));
            }
            float[] start = floats(bias(learner));
            learner.step(batch(batch), at(1));
            float[] end = floats(bias(learner));
            double[] gradient = new double[start.length];
            for (int i = 0; i < start.length; i++) {
                gradient[i] = ((double) start[i] - end[i]) / RATE;
            }
            return gradient;
        }
    }

    private List<byte[]> trained(int threads) {
        try (LocalLearner learner = TORCH.learner(LENET, OptimizerSpec.of("momentum"), 5, threads)) {
            for (int step = 1; step <= 5; step++) {
                learner.step(batch(step), at(step));
            }
            return copies(ofRole(learner, Role.WEIGHT));
        }
    }

    private static LiveTensor bias(StateOwner learner) {
        return ofRole(learner, Role.WEIGHT).getLast();
    }

    private static List<LiveTensor> ofRole(StateOwner learner, Role role) {
        return learner.tensors().stream().filter(t -> t.spec().role() == role).toList();
    }

    private static float[] floats(LiveTensor tensor) {
        return tensor.memory().toArray(ValueLayout.JAVA_FLOAT);
    }

    private static List<byte[]> copies(List<LiveTensor> tensors) {
        var copies = new ArrayList<byte[]>();
        tensors.forEach(tensor -> copies.add(tensor.memory().toArray(ValueLayout.JAVA_BYTE)));
        return copies;
    }

    private static void restore(StateOwner learner, List<byte[]> saved) {
        List<LiveTensor> live = learner.tensors();
        for (int i = 0; i < live.size(); i++) {
            live.get(i).memory().copyFrom(MemorySegment.ofArray(saved.get(i)));
        }
        learner.tensorsRestored();
    }

    /// The sum of squares of all weights, or of their differences from these.
    private static double squares(StateOwner learner, @Nullable List<float[]> from) {
        double sum = 0;
        List<LiveTensor> weights = ofRole(learner, Role.WEIGHT);
        for (int tensor = 0; tensor < weights.size(); tensor++) {
            float[] values = floats(weights.get(tensor));
            for (int i = 0; i < values.length; i++) {
                double value = values[i] - (from == null ? 0 : from.get(tensor)[i]);
                sum += value * value;
            }
        }
        return sum;
    }

    private static float random() {
        try (PointerScope _ = new PointerScope()) {
            Tensor drawn = torch.rand(1);
            return drawn.item_float();
        }
    }

    private Batch batch(long seed) {
        var random = new CounterRandom(seed, 99);
        MemorySegment images = arena.allocate(4L * BATCH * PIXELS, 64);
        MemorySegment labels = arena.allocate(8L * BATCH, 64);
        for (int i = 0; i < BATCH * PIXELS; i++) {
            images.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) random.nextGaussian());
        }
        for (int i = 0; i < BATCH; i++) {
            labels.setAtIndex(ValueLayout.JAVA_LONG, i, random.nextInt(10));
        }
        return new Batch.Labelled(images, labels, BATCH, BATCH);
    }
}
