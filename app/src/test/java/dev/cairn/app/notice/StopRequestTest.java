package dev.cairn.app.notice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.app.console.Terminal;
import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.WeightError;
import dev.cairn.checkpoint.notice.Notice;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.observe.TrainingEvent;
import dev.cairn.store.Attributes;
import dev.cairn.store.log.LogRecord.Commit;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StopRequestTest {
    private final StringWriter said = new StringWriter();
    private final List<Integer> exits = new CopyOnWriteArrayList<>();
    private final StopRequest stop;

    StopRequestTest() {
        var terminal = new Terminal(new PrintWriter(said), false, 80);
        stop = new StopRequest(terminal, exits::add);
    }

    @Test
    void beforeTheFirstStepANoticeEndsTheProcessAtOnce() {
        try (Notices notices = Notices.none()) {
            stop.follow(notices);
            notices.post(Notice.byHand("SIGTERM"));
            assertThat(exits).containsExactly(75);
            assertThat(said.toString())
                    .contains("stopped on SIGTERM before the first step", "nothing was trained or saved");
        }
    }

    @Test
    void afterItTheTrainingEndsByItselfAndAThirdNoticeEndsTheProcess() throws InterruptedException {
        try (Notices notices = Notices.none();
                stop) {
            stop.follow(notices);
            stop.on(saved(40, Duration.ofSeconds(1)));
            stop.on(new TrainingEvent.StepMade(Instant.EPOCH, 41, 0, 0.5, 0.01, 64));
            notices.post(Notice.byHand("SIGTERM"));
            TimeUnit.MILLISECONDS.sleep(250);
            notices.post(Notice.byHand("SIGINT"));
            assertThat(exits).isEmpty();
            assertThat(notices.isCancelled()).isTrue();
            notices.post(Notice.byHand("SIGINT"));
            assertThat(exits).containsExactly(75);
            assertThat(said.toString())
                    .contains(
                            "stopped on SIGTERM without a last save: it was cancelled because a second notice came (SIGINT); "
                                    + "the last checkpoint is of step 40");
        }
    }

    @Test
    void theGraceFollowsWhatSavesTake() {
        assertThat(stop.grace()).isEqualTo(Duration.ofSeconds(30));
        stop.on(saved(1, Duration.ofMillis(10)));
        assertThat(stop.grace()).isEqualTo(Duration.ofSeconds(10));
        stop.on(saved(2, Duration.ofSeconds(20)));
        stop.on(saved(3, Duration.ofSeconds(15)));
        assertThat(stop.grace()).isEqualTo(Duration.ofSeconds(60));
    }

    private static TrainingEvent saved(long step, Duration time) {
        var commit =
                new Commit(step, "00", step, Instant.EPOCH, null, "lossless", "", 0, 0, Attributes.empty(), List.of());
        return new TrainingEvent.Checkpointed(
                Instant.EPOCH,
                new CheckpointEvent.Committed(
                        Checkpoint.of(commit), Duration.ZERO, time, WeightError.NONE, Optional.empty()));
    }
}
