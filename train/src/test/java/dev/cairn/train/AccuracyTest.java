package dev.cairn.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.notice.Notice;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.train.data.fetch.DataPlaces;
import dev.cairn.train.data.sets.DataSets;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The workloads learn real data, also if they resume from lossy checkpoints. Each test takes minutes.
@Tag("accuracy")
class AccuracyTest {
    private static final int KILLS = 5;

    /// Ratings are from −10 to 10.
    private static final double JESTER_SCALE = 20;

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"torch", "tensorflow"})
    void softmaxRegressionLearnsMnist(String engine) throws IOException {
        TrainingRequest request = on("mnist", "lr").with("engine", engine).with("steps", 4000);
        assertThat(train(request).bestScore()).isGreaterThanOrEqualTo(0.92);
    }

    @ParameterizedTest
    @CsvSource({"torch", "tensorflow"})
    void lenetLearnsMnistInFiveEpochsAndThreeMinutes(String engine) throws IOException {
        var goals = new Goals(OptionalDouble.empty(), OptionalDouble.of(0.985), OptionalDouble.empty(), 0);
        TrainingRequest request = on("mnist", "lenet").with("engine", engine).with("steps", 5 * 938);
        long start = System.nanoTime();
        TrainingResult result = told(new TestTraining(request).with(goals).run(folder));
        assertThat(result.score()).isGreaterThanOrEqualTo(0.985);
        assertThat(result.epoch()).isLessThanOrEqualTo(5);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(3));
    }

    @Test
    void lenetLearnsFashion() throws IOException {
        assertThat(train(on("fashion-mnist", "lenet").with("steps", 5 * 938)).bestScore())
                .isGreaterThanOrEqualTo(0.88);
    }

    @Test
    void alexnetLearnsMnist() throws IOException {
        var goals = new Goals(OptionalDouble.empty(), OptionalDouble.of(0.985), OptionalDouble.empty(), 0);
        TrainingRequest request = on("mnist", "alexnet").with("steps", 3000).with("evaluateEvery", 300);
        assertThat(told(new TestTraining(request).with(goals).run(folder)).score())
                .isGreaterThanOrEqualTo(0.985);
    }

    @ParameterizedTest
    @CsvSource({"torch", "tensorflow"})
    void factorizationLearnsJester(String engine) throws IOException {
        assertThat(train(on("jester", "mf").with("engine", engine).with("steps", 4000))
                        .score())
                .isLessThanOrEqualTo(4.6);
    }

    @Test
    void factorizationLearnsMovieLens() throws IOException {
        assertThat(train(on("movielens-100k", "mf").with("steps", 2000)).bestScore())
                .isLessThanOrEqualTo(0.95);
    }

    /// Within 0.3 % of the accuracy or of the rating scale. Factorization is trained until it no longer improves,
    /// because the error of a row is corrected only when its user occurs again.
    @ParameterizedTest
    @CsvSource({
        "lr, mnist, 3000, constant",
        "lenet, mnist, 2400, constant",
        "mf, jester, 6000, constant",
        "alexnet, mnist, 1800, cosine"
    })
    void fiveKillsCostNoAccuracy(String workload, String data, int steps, String schedule) throws IOException {
        TrainingRequest request = on(data, workload)
                .with("steps", steps)
                .with("schedule", schedule)
                .with("evaluateEvery", steps);
        TrainingResult undisturbed = told(new TestTraining(request).run(folder.resolve("undisturbed")));
        for (String codec : List.of("lossy", "lc:3")) {
            TrainingResult killed = told(killAgainAndAgain(request, codec, steps));
            assertThat(killed.resumedFromStep()).isGreaterThan(steps / 2L);
            double difference = killed.measure() == Measure.ACCURACY
                    ? undisturbed.score() - killed.score()
                    : (killed.score() - undisturbed.score()) / JESTER_SCALE;
            assertThat(difference).as(codec).isLessThanOrEqualTo(0.003);
        }
    }

    private TrainingResult killAgainAndAgain(TrainingRequest request, String codec, int steps) throws IOException {
        CheckpointOptions options =
                CheckpointOptions.defaults().withCodec(Codec.parse(codec)).withoutLog();
        Path run = folder.resolve(codec.replace(":", "-"));
        var random = new SplittableRandom(7);
        for (int kill = 1; kill <= KILLS; kill++) {
            long at = (long) steps * kill / (KILLS + 1) + random.nextInt(steps / 20);
            kill(new TestTraining(request).with(options).savingEvery(steps / 20), run, at);
        }
        return new TestTraining(request).with(options).savingEvery(steps / 20).run(run);
    }

    /// Ends after this step like a kill: everything that is not committed is lost.
    private static void kill(TestTraining training, Path run, long at) throws IOException {
        var notices = Notices.none();
        TrainingResult killed = training.with(notices, step -> {
                    if (step == at) {
                        notices.post(new Notice("test", Duration.ZERO, true));
                    }
                })
                .run(run);
        assertThat(killed.step()).isEqualTo(at);
        assertThat(killed.saved()).isFalse();
    }

    private TrainingResult train(TrainingRequest request) throws IOException {
        return told(new TestTraining(request).run(folder));
    }

    private static TrainingResult told(TrainingResult result) {
        System.out.printf(
                "%s %.4f, best %.4f, at step %d of epoch %d%n",
                result.measure().label(), result.score(), result.bestScore(), result.step(), result.epoch());
        return result;
    }

    static TrainingRequest on(String data, String workload) throws IOException {
        assumeTrue(
                DataSets.find(data, DataPlaces.of(Optional.empty())).isPresent(),
                data + " is in none of the data folders; see docs/DATA.md");
        return TrainingRequest.of(workload).with("data", data).with("threads", 2);
    }
}
