package dev.cairn.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.engine.Activation;
import dev.cairn.engine.Architectures;
import dev.cairn.engine.Batch;
import dev.cairn.engine.Engine;
import dev.cairn.engine.Layer.Activate;
import dev.cairn.engine.Layer.Convolution;
import dev.cairn.engine.Layer.Dropout;
import dev.cairn.engine.Layer.Flatten;
import dev.cairn.engine.Layer.Linear;
import dev.cairn.engine.LocalLearner;
import dev.cairn.engine.Model;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.Parameter;
import dev.cairn.engine.Score;
import dev.cairn.engine.Update;
import dev.cairn.store.Role;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TensorFlowLearnerTest {
    private static final int BATCH = 8;
    private static final Model LENET = Architectures.lenet5(Activation.RELU, 10);
    private static final Model.Factorization RATINGS = new Model.Factorization(30, 20, 4, 3.5f);
    private static final OptimizerSpec SGD = OptimizerSpec.of("sgd");
    private static final OptimizerSpec ADAM = OptimizerSpec.of("adam");

    @Test
    void isFoundByItsNameAndTellsItsVersion() {
        assertThat(Engine.named("tensorflow").describe()).matches("TensorFlow 2\\.\\d+\\.\\d+");
    }

    @Test
    void startsFromTheWeightsThatSeedAndNameDecide() {
        for (Model model : List.of(LENET, RATINGS)) {
            try (LocalLearner learner = learner(model, ADAM)) {
                List<LiveTensor> tensors = learner.tensors();
                List<Parameter> parameters = model.parameters();
                assertThat(tensors).hasSize(3 * parameters.size());
                for (int i = 0; i < parameters.size(); i++) {
                    Parameter parameter = parameters.get(i);
                    LiveTensor weight = tensors.get(i);
                    LiveTensor mean = tensors.get(parameters.size() + i);
                    LiveTensor square = tensors.get(2 * parameters.size() + i);
                    assertThat(weight.spec().name()).isEqualTo(parameter.name());
                    assertThat(weight.spec().shape()).isEqualTo(parameter.shape());
                    assertThat(weight.spec().role()).isEqualTo(Role.WEIGHT);
                    assertThat(floats(weight)).isEqualTo(parameter.initialValues(7));
                    assertThat(mean.spec().name()).isEqualTo("adam.m/" + parameter.name());
                    assertThat(mean.spec().role()).isEqualTo(Role.FIRST_MOMENT);
                    assertThat(square.spec().name()).isEqualTo("adam.v/" + parameter.name());
                    assertThat(square.spec().role()).isEqualTo(Role.SECOND_MOMENT);
                    assertThat(floats(square)).containsOnly(0);
                }
            }
        }
    }

    @Test
    void whatWasShownStaysAsItIsUntilTheUpdateIsAnnouncedAndIsInvalidAfterwards() {
        for (Model model : List.of(LENET, RATINGS)) {
            try (LocalLearner learner = learner(model, ADAM)) {
                learner.step(Batches.of(model, BATCH, 1), new Update(1, 0.01));
                List<LiveTensor> shown = learner.tensors();
                Map<String, float[]> before = States.of(learner);
                learner.evaluate(Batches.of(model, BATCH, 2));
                assertThat(learner.tensors()).isEqualTo(shown);
                var told = new HashMap<String, float[]>();
                learner.step(Batches.of(model, BATCH, 2), new Update(2, 0.01), () -> {
                    for (LiveTensor tensor : shown) {
                        told.put(tensor.spec().name(), floats(tensor));
                    }
                });
                assertThat(told).containsExactlyInAnyOrderEntriesOf(before);
                assertThatIllegalStateException().isThrownBy(() -> floats(shown.getFirst()));
                States.of(learner)
                        .forEach((name, after) -> assertThat(after).as(name).isNotEqualTo(before.get(name)));
            }
        }
    }

    @Test
    void anUpdateTouchesTheRowsOfItsBatchAlone() {
        for (String optimizer : List.of("sgd", "momentum", "adam")) {
            try (LocalLearner learner =
                    learner(RATINGS, OptimizerSpec.of(optimizer).withWeightDecay(0.1))) {
                for (int step = 1; step <= 3; step++) {
                    learner.step(Batches.of(RATINGS, 30, step), new Update(step, 0.01));
                }
                Map<String, float[]> before = States.of(learner);
                var batch = (Batch.Rated) Batches.of(RATINGS, 5, 9);
                learner.step(batch, new Update(4, 0.01));
                List<Integer> users = ids(batch.users());
                List<Integer> items = ids(batch.items());
                States.of(learner).forEach((name, after) -> {
                    List<Integer> rows = name.contains("user.") ? users : items;
                    int width = name.endsWith("bias") ? 1 : RATINGS.rank();
                    float[] old = Objects.requireNonNull(before.get(name));
                    for (int i = 0; i < after.length; i++) {
                        assertThat(after[i] != old[i])
                                .as("%s[%d] with %s", name, i, optimizer)
                                .isEqualTo(rows.contains(i / width));
                    }
                });
            }
        }
    }

    @Test
    void evaluatingChangesNothingAndScoresWhatAStepWouldLose() {
        for (Model model : List.of(LENET, RATINGS)) {
            try (LocalLearner learner = learner(model, SGD)) {
                Map<String, float[]> before = States.of(learner);
                Batch batch = Batches.of(model, BATCH, 1);
                Score score = learner.evaluate(batch);
                assertThat(States.of(learner)).containsExactlyEntriesOf(before);
                assertThat(score.count()).isEqualTo(BATCH);
                assertThat(score.loss()).isCloseTo(learner.step(batch, new Update(1, 0.1)), within(1e-5));
            }
        }
    }

    @Test
    void aBatchIsLearntByHeartAndCountedAsCorrect() {
        try (LocalLearner learner = learner(LENET, ADAM)) {
            Batch batch = Batches.of(LENET, BATCH, 1);
            for (int step = 1; step <= 60; step++) {
                learner.step(batch, new Update(step, 0.003));
            }
            assertThat(learner.evaluate(batch).correct()).isEqualTo(BATCH);
        }
    }

    @Test
    void dropoutKeepsTheMeanDiffersFromStepToStepAndIsOffInEvaluation() {
        var model = new Model.Network(1, 8, List.of(new Flatten(), new Dropout(0.25), new Linear("fc1", 64, 10)));
        try (LocalLearner learner = learner(model, SGD)) {
            MemorySegment images = Arena.ofAuto().allocate(4L * 64 * 200, 64);
            MemorySegment labels = Arena.ofAuto().allocate(8L * 200, 64);
            for (int i = 0; i < 64 * 200; i++) {
                images.setAtIndex(ValueLayout.JAVA_FLOAT, i, 1);
            }
            var batch = new Batch.Labelled(images, labels, 200, 200);
            double evaluated = learner.evaluate(batch).loss();
            var losses = new ArrayList<Double>();
            for (int step = 1; step <= 30; step++) {
                losses.add((double) learner.step(batch, new Update(step, 0)));
            }
            assertThat(losses).doesNotHaveDuplicates();
            assertThat(losses.stream()
                            .mapToDouble(Double::doubleValue)
                            .average()
                            .orElseThrow())
                    .isCloseTo(evaluated, within(0.1));
            assertThat(learner.evaluate(batch).loss()).isEqualTo(evaluated);
            assertThat((double) learner.step(batch, new Update(7, 0))).isEqualTo(losses.get(6));
        }
    }

    @Test
    void countsUnitsThatNoExampleActivates() {
        var model = new Model.Network(
                1,
                8,
                List.of(
                        new Convolution("conv1", 1, 4, 3, 1, 1),
                        new Activate(Activation.RELU),
                        new Flatten(),
                        new Linear("fc1", 256, 6),
                        new Activate(Activation.RELU),
                        new Linear("fc2", 6, 10)));
        try (LocalLearner learner = learner(model, SGD)) {
            assertThat(learner.deadUnits()).isEmpty();
            Map<String, float[]> state = States.of(learner);
            Objects.requireNonNull(state.get("conv1.bias"))[2] = -1000; // one channel of four
            float[] bias = Objects.requireNonNull(state.get("fc1.bias"));
            Arrays.fill(bias, 1000);
            bias[0] = -100_000; // one unit of six
            States.restore(learner, state);
            learner.evaluate(Batches.of(model, BATCH, 1));
            learner.evaluate(Batches.of(model, BATCH, 2));
            assertThat(learner.deadUnits()).hasValue(0.2);
            assertThat(learner.deadUnits()).isEmpty();
        }
        try (LocalLearner learner = learner(Architectures.lenet5(Activation.TANH, 10), SGD)) {
            learner.evaluate(Batches.of(LENET, BATCH, 1));
            assertThat(learner.deadUnits()).isEmpty();
        }
    }

    @Test
    void aSmallerLastBatchAndMemoryOfAnyAlignmentAreFine() {
        var whole = (Batch.Labelled) Batches.of(LENET, BATCH, 1);
        try (LocalLearner learner = learner(LENET, SGD)) {
            Score some = learner.evaluate(new Batch.Labelled(whole.images(), whole.labels(), BATCH, 3));
            MemorySegment odd =
                    Arena.ofAuto().allocate(whole.images().byteSize() + 4, 64).asSlice(4);
            odd.copyFrom(whole.images());
            assertThat(learner.evaluate(new Batch.Labelled(odd, whole.labels(), BATCH, 3)))
                    .isEqualTo(some);
            assertThat(some.count()).isEqualTo(3);
        }
    }

    @Test
    void whatDoesNotFitIsToldInOneLine() {
        try (LocalLearner learner = learner(LENET, SGD)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> learner.evaluate(Batches.of(RATINGS, BATCH, 1)))
                    .withMessageContaining("Network")
                    .withMessageContaining("Rated");
            var batch = (Batch.Labelled) Batches.of(LENET, BATCH, 1);
            batch.labels().setAtIndex(ValueLayout.JAVA_LONG, 3, 10);
            assertThatIllegalStateException()
                    .isThrownBy(() -> learner.step(batch, new Update(1, 0.1)))
                    .withMessageContaining("label value of 10")
                    .withMessageNotContaining("\n");
        }
    }

    @Test
    void aNumberOfThreadsThatIsNoneIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TensorFlowEngine().learner(LENET, SGD, 7, 0))
                .withMessageContaining("threads=0");
    }

    @Test
    void closingTwiceIsHarmlessAndAClosedLearnerSaysSo() {
        LocalLearner learner = learner(LENET, ADAM);
        learner.tensors();
        learner.close();
        learner.close();
        assertThatIllegalStateException().isThrownBy(learner::tensors).withMessageContaining("closed");
    }

    private static LocalLearner learner(Model model, OptimizerSpec optimizer) {
        return new TensorFlowEngine().learner(model, optimizer, 7, 1);
    }

    private static List<Integer> ids(MemorySegment longs) {
        var ids = new ArrayList<Integer>();
        for (long id : longs.toArray(ValueLayout.JAVA_LONG)) {
            ids.add((int) id);
        }
        return ids;
    }

    private static float[] floats(LiveTensor tensor) {
        return tensor.memory().toArray(ValueLayout.JAVA_FLOAT);
    }
}
