package dev.cairn.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.engine.Batch;
import dev.cairn.engine.CounterRandom;
import dev.cairn.engine.Engine;
import dev.cairn.engine.LocalLearner;
import dev.cairn.engine.Model;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.StateOwner;
import dev.cairn.engine.Update;
import dev.cairn.store.Role;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FactorizationLearnerTest {
    private static final int RANK = 3;
    private static final float MEAN = 3.5f;
    private static final Model MODEL = new Model.Factorization(6, 5, RANK, MEAN);
    private static final Engine TORCH = new TorchEngine();

    private final Arena arena = Arena.ofAuto();

    @Test
    void aStepFollowsTheGradientOfTheSquaredError() {
        double rate = 0.5;
        int[] users = {4, 1, 4};
        int[] items = {0, 0, 2};
        float[] ratings = {5, 1, 2};
        try (LocalLearner learner = TORCH.learner(MODEL, OptimizerSpec.of("sgd"), 1, 1)) {
            List<float[]> before = weights(learner);
            double loss = 0;
            double[][] userFactors = new double[6][RANK];
            double[][] itemFactors = new double[5][RANK];
            double[] userBias = new double[6];
            for (int i = 0; i < users.length; i++) {
                double error = predicted(before, users[i], items[i]) - ratings[i];
                loss += error * error / users.length;
                for (int k = 0; k < RANK; k++) {
                    userFactors[users[i]][k] += 2 * error * before.get(1)[items[i] * RANK + k] / users.length;
                    itemFactors[items[i]][k] += 2 * error * before.get(0)[users[i] * RANK + k] / users.length;
                }
                userBias[users[i]] += 2 * error / users.length;
            }
            assertThat((double) learner.step(batch(users, items, ratings), new Update(1, rate)))
                    .isCloseTo(loss, within(1e-5));
            List<float[]> after = weights(learner);
            for (int user = 0; user < 6; user++) {
                for (int k = 0; k < RANK; k++) {
                    assertThat((double) before.get(0)[user * RANK + k] - after.get(0)[user * RANK + k])
                            .isCloseTo(rate * userFactors[user][k], within(1e-5));
                }
                assertThat((double) before.get(2)[user] - after.get(2)[user])
                        .isCloseTo(rate * userBias[user], within(1e-5));
            }
            for (int item = 0; item < 5; item++) {
                for (int k = 0; k < RANK; k++) {
                    assertThat((double) before.get(1)[item * RANK + k] - after.get(1)[item * RANK + k])
                            .isCloseTo(rate * itemFactors[item][k], within(1e-5));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sgd", "momentum", "adam"})
    void onlyRowsOfTheBatchChangeAndTheirMoments(String optimizer) {
        OptimizerSpec spec = OptimizerSpec.of(optimizer).withWeightDecay(0.01).withClipNorm(1);
        try (LocalLearner learner = TORCH.learner(MODEL, spec, 1, 1)) {
            learner.step(batch(new int[] {0, 1, 2, 3, 4, 5}, new int[] {0, 1, 2, 3, 4, 0}, new float[6]), at(1));
            List<float[]> before = floats(learner);
            learner.step(batch(new int[] {1, 1}, new int[] {3, 2}, new float[] {5, 4}), at(2));
            List<float[]> after = floats(learner);
            for (int tensor = 0; tensor < before.size(); tensor++) {
                boolean byUser = tensor % 2 == 0;
                int rows = byUser ? 6 : 5;
                int width = before.get(tensor).length / rows;
                for (int row = 0; row < rows; row++) {
                    boolean named = byUser ? row == 1 : row == 2 || row == 3;
                    assertThat(Arrays.equals(
                                    before.get(tensor),
                                    row * width,
                                    (row + 1) * width,
                                    after.get(tensor),
                                    row * width,
                                    (row + 1) * width))
                            .as("tensor %d, row %d", tensor, row)
                            .isEqualTo(!named);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sgd", "momentum", "adam"})
    void learnsRatingsThatFactorsMade(String optimizer) {
        var random = new CounterRandom(1, 1);
        int count = 30;
        int[] users = new int[count];
        int[] items = new int[count];
        float[] ratings = new float[count];
        for (int i = 0; i < count; i++) {
            users[i] = i % 6;
            items[i] = i / 6;
            ratings[i] = (float) (MEAN + (users[i] - 2.5) * (items[i] - 2) / 3 + 0.01 * random.nextGaussian());
        }
        Batch batch = batch(users, items, ratings);
        try (LocalLearner learner = TORCH.learner(MODEL, OptimizerSpec.of(optimizer), 1, 1)) {
            double rate = optimizer.equals("sgd") ? 0.5 : 0.05;
            for (int step = 1; step <= 400; step++) {
                learner.step(batch, new Update(step, rate));
            }
            assertThat(learner.evaluate(batch).rootMeanSquare()).isLessThan(0.1);
            assertThat(learner.evaluate(batch).count()).isEqualTo(count);
            assertThat(learner.deadUnits()).isEmpty();
        }
    }

    private static Update at(long step) {
        return new Update(step, 0.01);
    }

    private static double predicted(List<float[]> weights, int user, int item) {
        double sum = MEAN + weights.get(2)[user] + weights.get(3)[item];
        for (int k = 0; k < RANK; k++) {
            sum += weights.get(0)[user * RANK + k] * weights.get(1)[item * RANK + k];
        }
        return sum;
    }

    private static List<float[]> weights(StateOwner learner) {
        return floats(learner).subList(0, 4);
    }

    private static List<float[]> floats(StateOwner learner) {
        return learner.tensors().stream()
                .filter(tensor -> tensor.spec().role() != Role.RNG)
                .map(LiveTensor::memory)
                .map(memory -> memory.toArray(ValueLayout.JAVA_FLOAT))
                .toList();
    }

    private Batch batch(int[] users, int[] items, float[] ratings) {
        return new Batch.Rated(
                ids(users), ids(items), arena.allocateFrom(ValueLayout.JAVA_FLOAT, ratings), users.length);
    }

    private MemorySegment ids(int[] ids) {
        return arena.allocateFrom(
                ValueLayout.JAVA_LONG, Arrays.stream(ids).asLongStream().toArray());
    }
}
