package dev.cairn.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.Batch;
import dev.cairn.engine.Engine;
import dev.cairn.engine.LocalLearner;
import dev.cairn.engine.Model;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.Update;
import dev.cairn.train.batch.Examples;
import dev.cairn.train.batch.Prefetch;
import dev.cairn.train.batch.Share;
import dev.cairn.train.data.DataOrder.Cursor;
import dev.cairn.train.data.Dataset;
import dev.cairn.train.data.GlobalOrder;
import dev.cairn.train.data.fetch.DataPlaces;
import dev.cairn.train.data.fetch.DataProgress;
import dev.cairn.train.data.sets.DataSets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Both engines learn the same if they start from the same weights and use the same batches.
class EnginesAgreeTest {
    private static final int FIRST = 20;

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "lr, sgd, 100, 100",
        "lr, momentum, 100, 100",
        "lr, adam, 100, 100",
        "lenet, sgd, 64, 100",
        "lenet, momentum, 64, 100",
        "lenet, adam, 64, 100",
        "alexnet, momentum, 8, 20",
        "mf, sgd, 1000, 100",
        "mf, momentum, 1000, 100",
        "mf, adam, 1000, 100"
    })
    void giveTheSameLossCurve(String name, String optimizer, int batch, int steps) throws IOException {
        compare(name, optimizer, batch, steps, 1);
    }

    /// At its full rate, such a deep network amplifies rounding errors: libtorch on one thread and libtorch on
    /// two threads differ as much.
    @Test
    @Tag("soak")
    void giveTheSameLossCurveOfAlexnet() throws IOException {
        compare("alexnet", "momentum", 32, 100, 0.5);
    }

    private static void compare(String name, String optimizer, int batch, int steps, double ofRate) throws IOException {
        Workload workload = Workload.named(name);
        Dataset data = DataSets.load(workload.usualData(), DataPlaces.of(Optional.empty()), DataProgress.NONE);
        Model model = workload.model(ModelSettings.USUAL, data);
        Model certain = model instanceof Model.Network network ? network.withoutDropout() : model;
        double rate = ofRate * workload.usualRate(optimizer);
        List<Float> torch = losses("torch", certain, data, optimizer, rate, batch, steps);
        List<Float> tensorflow = losses("tensorflow", certain, data, optimizer, rate, batch, steps);
        for (int step = 0; step < steps; step++) {
            double difference = Math.abs(torch.get(step) - tensorflow.get(step)) / torch.get(step);
            assertThat(difference).as("step %d", step + 1).isLessThanOrEqualTo(step < FIRST ? 1e-3 : 1e-2);
        }
        assertThat(torch.getLast()).as("learns").isLessThan(torch.getFirst());
    }

    private static List<Float> losses(
            String engine, Model model, Dataset data, String optimizer, double rate, int batch, int steps) {
        var losses = new ArrayList<Float>();
        var examples = new Examples(data);
        try (LocalLearner learner = Engine.named(engine).learner(model, OptimizerSpec.of(optimizer), 1, 2);
                var batches = new Prefetch(examples, new GlobalOrder(1, examples.trainCount()), batch, Share.ALL)) {
            Cursor cursor = Cursor.START;
            for (int step = 1; step <= steps; step++) {
                Batch next = batches.at(cursor);
                losses.add(learner.step(next, new Update(step, rate)));
                cursor = batches.after(cursor);
            }
        }
        return losses;
    }

    /// Names and layouts are the same, so weights of one engine are weights of the other.
    @Test
    void aRunOfOneEngineGoesOnInTheOther() throws IOException {
        TrainingRequest request = TrainingRequest.of("lenet").with("threads", 1).with("steps", 60);
        TrainingResult torch = new TestTraining(request).run(folder.resolve("torch"));
        TrainingResult both = new TestTraining(request.with("steps", 100))
                .forkedFrom(
                        folder.resolve("torch"),
                        request.with("engine", "tensorflow").with("steps", 100))
                .run(folder.resolve("both"));
        TrainingResult straight = new TestTraining(request.with("steps", 100)).run(folder.resolve("straight"));
        assertThat(torch.step()).isEqualTo(60);
        assertThat(both.resumedFromStep()).isEqualTo(60);
        assertThat(both.loss()).isCloseTo(straight.loss(), org.assertj.core.data.Percentage.withPercentage(1));
    }
}
