package dev.cairn.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.engine.Activation;
import dev.cairn.engine.Architectures;
import dev.cairn.engine.Batch;
import dev.cairn.engine.CounterRandom;
import dev.cairn.engine.GroupLearner;
import dev.cairn.engine.GroupLearner.GroupBatch;
import dev.cairn.engine.Layer;
import dev.cairn.engine.LocalLearner;
import dev.cairn.engine.Model;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.Update;
import dev.cairn.engine.group.BrokenGroupException;
import dev.cairn.engine.group.GradientExchange;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Steps that several processes make together. Here they are threads, and the exchange adds up in memory.
class GroupLearnerTest {
    private static final int BATCH = 8;
    private static final int PIXELS = 28 * 28;
    private static final Model LENET = Architectures.lenet5(Activation.RELU, 10);
    private static final Model WITH_DROPOUT = new Model.Network(
            1,
            28,
            List.of(
                    new Layer.Flatten(),
                    new Layer.Linear("fc1", PIXELS, 32),
                    new Layer.Dropout(0.5),
                    new Layer.Linear("fc2", 32, 10)));
    private static final OptimizerSpec ADAM = OptimizerSpec.of("adam").withClipNorm(1);

    private final Arena arena = Arena.ofAuto();

    @ParameterizedTest
    @ValueSource(ints = {8, 5, 4, 0})
    void sharesOfABatchMakeTheStepOfTheWholeAndAllEndInTheSameBits(int firstShare) throws Exception {
        byte[] whole;
        float wholeLoss;
        try (LocalLearner learner = learner(LENET)) {
            learner.step(batch(1, 0, BATCH), at(1));
            wholeLoss = learner.step(batch(2, 0, BATCH), at(2));
            whole = state(learner);
        }
        var exchange = new TwoThreads();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        var members = new ArrayList<Future<byte[]>>();
        for (int i = 0; i < 2; i++) {
            int rank = i;
            members.add(threads.submit(() -> {
                int first = rank == 0 ? 0 : firstShare;
                int size = rank == 0 ? firstShare : BATCH - firstShare;
                try (GroupLearner learner = learner(LENET)) {
                    learner.step(
                            new GroupBatch(batch(1, first, size), BATCH, rank), at(1), exchange.of(rank), () -> {});
                    float loss = learner.step(
                            new GroupBatch(batch(2, first, size), BATCH, rank), at(2), exchange.of(rank), () -> {});
                    assertThat(loss).isCloseTo(wholeLoss, within(1e-5f));
                    return state(learner);
                }
            }));
        }
        byte[] one = members.getFirst().get();
        assertThat(members.getLast().get()).isEqualTo(one);
        threads.shutdown();
        float[] expected = floats(whole);
        float[] found = floats(one);
        for (int i = 0; i < expected.length; i++) {
            assertThat(found[i]).isCloseTo(expected[i], within(1e-3f));
        }
    }

    @Test
    void aStepWhoseExchangeFailsChangesNothingAndIsMadeAgainWithTheSameBits() {
        byte[] undisturbed = afterTwoSteps(0, false);
        assertThat(afterTwoSteps(0, true)).isEqualTo(undisturbed);
        assertThat(afterTwoSteps(1, false))
                .as("each rank draws its own numbers")
                .isNotEqualTo(undisturbed);
    }

    private byte[] afterTwoSteps(int rank, boolean fails) {
        GradientExchange alone = (_, loss) -> loss;
        try (GroupLearner learner = learner(WITH_DROPOUT)) {
            learner.step(new GroupBatch(batch(1, 0, BATCH), BATCH, rank), at(1), alone, () -> {});
            if (fails) {
                byte[] before = state(learner);
                assertThatThrownBy(() -> learner.step(
                                new GroupBatch(batch(2, 0, BATCH), BATCH, rank),
                                at(2),
                                (_, _) -> {
                                    throw new BrokenGroupException("gone", new IllegalStateException());
                                },
                                () -> {
                                    throw new AssertionError("nothing may be updated");
                                }))
                        .isInstanceOf(BrokenGroupException.class);
                assertThat(state(learner)).isEqualTo(before);
            }
            learner.step(new GroupBatch(batch(2, 0, BATCH), BATCH, rank), at(2), alone, () -> {});
            return state(learner);
        }
    }

    private static GroupLearner learner(Model model) {
        return (GroupLearner) new TorchEngine().learner(model, ADAM, 3, 1);
    }

    private static Update at(long step) {
        return new Update(step, 0.01);
    }

    /// Some examples of a batch.
    private Batch batch(long seed, int first, int size) {
        var random = new CounterRandom(seed, 1);
        MemorySegment images = arena.allocate(ValueLayout.JAVA_FLOAT, (long) BATCH * PIXELS);
        MemorySegment labels = arena.allocate(ValueLayout.JAVA_LONG, BATCH);
        for (int example = 0; example < first + size; example++) {
            for (int pixel = 0; pixel < PIXELS; pixel++) {
                float value = (float) random.nextDouble();
                if (example >= first) {
                    images.setAtIndex(ValueLayout.JAVA_FLOAT, (long) (example - first) * PIXELS + pixel, value);
                }
            }
            if (example >= first) {
                labels.setAtIndex(ValueLayout.JAVA_LONG, example - first, example % 10);
            }
        }
        return new Batch.Labelled(images, labels, BATCH, size);
    }

    private static byte[] state(LocalLearner learner) {
        var all = new ByteArrayOutputStream();
        for (LiveTensor tensor : learner.tensors()) {
            all.writeBytes(tensor.memory().toArray(ValueLayout.JAVA_BYTE));
        }
        return all.toByteArray();
    }

    /// The weights, which come first.
    private static float[] floats(byte[] state) {
        return MemorySegment.ofArray(Arrays.copyOf(state, 61_706 * Float.BYTES))
                .toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
    }

    private static final class TwoThreads {
        private final CyclicBarrier barrier = new CyclicBarrier(2);
        private final float[][] parts = new float[2][];
        private final float[] losses = new float[2];

        GradientExchange of(int rank) {
            return (floats, loss) -> {
                parts[rank] = floats.toArray(ValueLayout.JAVA_FLOAT);
                losses[rank] = loss;
                meet();
                for (int i = 0; i < parts[0].length; i++) {
                    floats.setAtIndex(ValueLayout.JAVA_FLOAT, i, parts[0][i] + parts[1][i]);
                }
                float sum = losses[0] + losses[1];
                meet();
                return sum;
            };
        }

        private void meet() {
            try {
                barrier.await();
            } catch (BrokenBarrierException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
