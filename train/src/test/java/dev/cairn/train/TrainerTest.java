package dev.cairn.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Matching;
import dev.cairn.engine.OptimizerSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainerTest {
    private static final int STEPS_PER_EPOCH = 188;

    @TempDir
    Path folder;

    /// It should look like learning: good within a minute, not perfect after the first epoch.
    @Test
    void lenetLearnsDigitsButNotAtOnce() throws IOException {
        long start = System.nanoTime();
        TrainingResult first = train("run", STEPS_PER_EPOCH, () -> false);
        assertThat(first.epoch()).isEqualTo(1);
        assertThat(first.accuracy()).isBetween(0.5, 0.999);
        TrainingResult third = train("run", 3 * STEPS_PER_EPOCH, () -> false);
        assertThat(third.accuracy()).isGreaterThan(0.95);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(1));
    }

    @Test
    void aStopIsACleanEnd() throws IOException {
        int[] asked = {0};
        TrainingResult stopped = train("run", 50, () -> ++asked[0] > 10);
        assertThat(stopped.stopped()).isTrue();
        assertThat(stopped.step()).isEqualTo(10);
        TrainingResult resumed = train("run", 12, () -> false);
        assertThat(resumed.resumedFromStep()).isEqualTo(10);
        assertThat(resumed.stopped()).isFalse();
    }

    @Test
    void theBestScoreSurvivesAResume() throws IOException {
        TrainingResult straight = train("straight", 250, () -> false);
        train("resumed", 130, () -> false);
        TrainingResult resumed = train("resumed", 250, () -> false);
        assertThat(resumed.bestAccuracy()).isEqualTo(straight.bestAccuracy());
        assertThat(resumed.bestStep()).isEqualTo(straight.bestStep());
        assertThat(resumed.weightsSha256()).isEqualTo(straight.weightsSha256());
    }

    private TrainingResult train(String run, long steps, java.util.function.BooleanSupplier stop) throws IOException {
        var settings =
                new TrainingSettings("lenet", "digits", "torch", OptimizerSpec.of("momentum", 0.02), 64, 1, 2, steps);
        var observer = new TrainingObserver() {
            @Override
            public void started(long fromStep, long toStep, int checkpoints) {}

            @Override
            public void stepMade(long step, double loss, double accuracy) {}
        };
        try (Checkpoints checkpoints = Checkpoints.open(folder.resolve(run), CheckpointOptions.defaults())) {
            return new Trainer(settings, observer, stop).train(checkpoints, new Trainer.Start.Resume(Matching.WHOLE));
        }
    }
}
