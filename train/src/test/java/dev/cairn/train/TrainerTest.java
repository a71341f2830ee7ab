package dev.cairn.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.notice.Deadline;
import dev.cairn.checkpoint.notice.Notice;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.store.Clock;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainerTest {
    private static final int STEPS_PER_EPOCH = 188;

    @TempDir
    Path folder;

    /// Learning is visible: the accuracy is good within a minute, but not perfect after the first epoch.
    @Test
    void lenetLearnsDigitsButNotAtOnce() throws IOException {
        ThreadMXBean thread = ManagementFactory.getThreadMXBean(); // wall time would include other processes
        long start = thread.getCurrentThreadCpuTime();
        TrainingResult first = train("run", STEPS_PER_EPOCH);
        assertThat(first.epoch()).isEqualTo(1);
        assertThat(first.score()).isBetween(0.5, 0.999);
        TrainingResult third = train("run", 3 * STEPS_PER_EPOCH);
        assertThat(third.score()).isGreaterThan(0.95);
        assertThat(Duration.ofNanos(thread.getCurrentThreadCpuTime() - start)).isLessThan(Duration.ofMinutes(1));
    }

    @Test
    void aStopIsACleanEnd() throws IOException {
        var notices = Notices.none();
        TrainingResult stopped = train("run", 50, notices, step -> {
            if (step == 10) {
                notices.post(Notice.byHand("test"));
            }
        });
        assertThat(stopped.stopped()).isTrue();
        assertThat(stopped.saved()).isTrue();
        assertThat(stopped.step()).isEqualTo(10);
        TrainingResult resumed = train("run", 12);
        assertThat(resumed.resumedFromStep()).isEqualTo(10);
        assertThat(resumed.stopped()).isFalse();
    }

    @Test
    void theBestScoreSurvivesAResume() throws IOException {
        TrainingResult straight = train("straight", 250);
        train("resumed", 130);
        TrainingResult resumed = train("resumed", 250);
        assertThat(resumed.bestScore()).isEqualTo(straight.bestScore());
        assertThat(resumed.bestStep()).isEqualTo(straight.bestStep());
        assertThat(resumed.weightsSha256()).isEqualTo(straight.weightsSha256());
    }

    @Test
    void aNoticeDuringScoringLosesNoScore() throws IOException {
        TrainingResult straight = train("straight", 150);
        // After step 99, the notices are checked before the save, before the next step, before the first scored
        // batch, and before the second.
        Thread training = Thread.currentThread();
        var questions = new AtomicInteger(Integer.MIN_VALUE);
        var deadline = Deadline.in(
                Duration.ofHours(1),
                "test",
                () -> Thread.currentThread().equals(training) && questions.incrementAndGet() >= 4
                        ? Duration.ofHours(2)
                        : Duration.ZERO,
                Clock.system());
        var notices = Notices.watch(List.of(), List.of(deadline), Duration.ofHours(1), Clock.system());
        TrainingResult stopped = train("resumed", 150, notices, step -> {
            if (step == 99) {
                questions.set(0);
            }
        });
        assertThat(stopped.step()).isEqualTo(100);
        assertThat(stopped.stopped()).isTrue();
        assertThat(stopped.score()).as("not scored").isNaN();
        TrainingResult resumed = train("resumed", 150);
        assertThat(resumed.resumedFromStep()).isEqualTo(100);
        assertThat(resumed.bestScore()).isEqualTo(straight.bestScore());
        assertThat(resumed.bestStep()).isEqualTo(straight.bestStep());
        assertThat(resumed.weightsSha256()).isEqualTo(straight.weightsSha256());
    }

    @Test
    void aNoticeBeforeTheFirstStepSavesNothing() throws IOException {
        var notices = Notices.none();
        notices.post(Notice.byHand("test"));
        TrainingResult stopped = train("run", 50, notices, step -> {});
        assertThat(stopped.stopped()).isTrue();
        assertThat(stopped.step()).isZero();
        assertThat(folder.resolve("run/log/0000000001.rec")).doesNotExist();
    }

    @Test
    void aNoticeWithoutTimeGivesTheSaveUp() throws IOException {
        var notices = Notices.none();
        TrainingResult stopped = train("run", 50, notices, step -> {
            if (step == 7) {
                notices.post(new Notice("test", Duration.ZERO, true));
            }
        });
        assertThat(stopped.step()).isEqualTo(7);
        assertThat(stopped.stopped()).isTrue();
        assertThat(stopped.saved()).isFalse();
        assertThat(stopped.weightsSha256()).isNull();
        assertThat(folder.resolve("run/log/0000000001.rec")).doesNotExist();
    }

    private TrainingResult train(String run, long steps) throws IOException {
        return train(run, steps, Notices.none(), step -> {});
    }

    private TrainingResult train(String run, long steps, Notices notices, LongConsumer onStep) throws IOException {
        return new TestTraining(TrainingRequest.of("lenet").with("threads", 2).with("steps", steps))
                .with(notices, onStep)
                .run(folder.resolve(run));
    }
}
