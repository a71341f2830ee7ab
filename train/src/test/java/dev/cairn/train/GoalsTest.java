package dev.cairn.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.train.TrainingResult.End;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GoalsTest {
    private static final OptionalDouble NONE = OptionalDouble.empty();

    @TempDir
    Path folder;

    @Test
    void endsAtTheFirstScoreThatReachesAnAccuracy() throws IOException {
        var goals = new Goals(NONE, OptionalDouble.of(0.8), NONE, 0);
        TestTraining training =
                new TestTraining(TrainingRequest.of("lr").with("steps", 3000).with("evaluateEvery", 20)).with(goals);
        TrainingResult result = training.run(folder);
        assertThat(result.end()).isEqualTo(new End.Reached());
        assertThat(result.score()).isGreaterThanOrEqualTo(0.8);
        assertThat(result.step() % 20).isZero();
        assertThat(result.step()).isLessThan(3000);
        assertThat(result.saved()).isTrue();
        // A restart has already reached the goal.
        TrainingResult again =
                new TestTraining(TrainingRequest.of("lr")).with(goals).run(folder);
        assertThat(again.end()).isEqualTo(new End.Reached());
        assertThat(again.step()).isEqualTo(result.step());
    }

    @Test
    void aGoalThatTheLastStepMeetsIsReached() throws IOException {
        var request = TrainingRequest.of("lr").with("steps", 200).with("evaluateEvery", 200);
        assertThat(new TestTraining(request).run(folder).end()).isEqualTo(new End.Done());
        var low = new Goals(NONE, OptionalDouble.of(0.3), NONE, 0);
        assertThat(new TestTraining(request).with(low).run(folder).end()).isEqualTo(new End.Reached());
        var perfect = new Goals(NONE, OptionalDouble.of(1), NONE, 0);
        assertThat(new TestTraining(request).with(perfect).run(folder).end()).isEqualTo(new End.Done());
    }

    @Test
    void aLossAndAnErrorOfRatingsAreGoalsToo() throws IOException {
        var loss = new Goals(OptionalDouble.of(1.5), NONE, NONE, 0);
        assertThat(new TestTraining(TrainingRequest.of("lr").with("evaluateEvery", 5))
                        .with(loss)
                        .run(folder.resolve("loss"))
                        .testLoss())
                .isLessThanOrEqualTo(1.5);
        var rmse = new Goals(NONE, NONE, OptionalDouble.of(0.9), 0);
        TrainingResult rated = new TestTraining(TrainingRequest.of("mf").with("evaluateEvery", 20))
                .with(rmse)
                .run(folder.resolve("rmse"));
        assertThat(rated.end()).isEqualTo(new End.Reached());
        assertThat(rated.score()).isLessThanOrEqualTo(0.9);
        assertThat(rated.measure()).isEqualTo(Measure.RMSE);
    }
}
