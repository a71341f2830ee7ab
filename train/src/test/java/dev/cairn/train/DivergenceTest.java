package dev.cairn.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.train.TrainingResult.End;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DivergenceTest {
    /// Large enough that a rising schedule makes the loss explode after some steps.
    private static final TrainingRequest WILD = TrainingRequest.of("lr")
            .with("optimizer", "sgd")
            .with("rate", 1e6)
            .with("schedule", "warmup:5000000+constant")
            .with("threads", 1)
            .with("steps", 60);

    @TempDir
    Path folder;

    @Test
    void aLossThatIsNoNumberIsOne() {
        var divergence = new Divergence();
        assertThat(divergence.by(2.3)).isFalse();
        assertThat(divergence.by(Double.NaN)).isTrue();
        assertThat(divergence.by(Double.POSITIVE_INFINITY)).isTrue();
    }

    @Test
    void aLossThatStaysTenTimesTheFirstIsOne() {
        var divergence = new Divergence();
        assertThat(divergence.by(2)).isFalse();
        assertThat(divergence.by(30)).as("once may be a bad batch").isFalse();
        assertThat(divergence.by(3)).isFalse();
        assertThat(divergence.by(30)).isFalse();
        assertThat(divergence.by(31)).isTrue();
        assertThat(divergence.badSteps()).isEqualTo(2);
        assertThat(divergence.describe(31)).contains("31").contains("2.000");
    }

    @Test
    void stopsBeforeABadStateIsSavedOnPurposeAndNamesTheLastGoodOne() throws IOException {
        TrainingResult result = new TestTraining(WILD).savingEvery(3).run(folder);
        assertThat(result.end()).isInstanceOf(End.Diverged.class);
        End.Diverged end = (End.Diverged) result.end();
        assertThat(result.saved()).isFalse();
        assertThat(end.step()).isBetween(6L, 59L);
        assertThat(end.lastGood()).isNotNull();
        assertThat(end.lastGood() % 3).isZero();
        assertThat(end.lastGood()).isLessThanOrEqualTo(end.step() - 3);
        assertThat(end.rollbacks()).isZero();
        assertThat(end.reason()).contains("loss");
    }

    @Test
    void goesBackToTheBeginningWhereNothingWasSavedYet() throws IOException {
        var goals = new Goals(OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(), 2);
        TestTraining training = new TestTraining(WILD).with(goals).savingEvery(1000);
        TrainingResult result = training.run(folder);
        assertThat(result.end()).isEqualTo(new End.Done());
        assertThat(training.rollbacks()).isNotEmpty().allSatisfy(back -> {
            assertThat(back.step()).isZero();
            assertThat(back.fromStep()).isPositive();
        });
    }

    @Test
    void goesBackAndHalvesTheRateUntilItHolds() throws IOException {
        var goals = new Goals(OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(), 1);
        TestTraining training = new TestTraining(WILD).with(goals).savingEvery(3);
        TrainingResult result = training.run(folder);
        assertThat(result.end()).isEqualTo(new End.Done());
        assertThat(result.step()).isEqualTo(60);
        assertThat(training.rollbacks()).isNotEmpty().allSatisfy(back -> {
            assertThat(back.step()).isLessThan(back.fromStep());
            assertThat(back.reason()).contains("the loss is");
            assertThat(back.rate()).isLessThan(1e6);
        });
        // A restart continues with the lower rate.
        var notOne = new TestTraining(WILD.with("steps", 62)).with(goals);
        assertThat(notOne.run(folder).step()).isEqualTo(62);
        assertThat(notOne.rollbacks()).isEmpty();
    }
}
