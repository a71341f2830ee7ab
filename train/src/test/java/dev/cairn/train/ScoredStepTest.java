package dev.cairn.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.store.Attributes;
import dev.cairn.store.log.LogRecord.Commit;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScoredStepTest {
    @Test
    void aScoreIsOfTheStepThatIsNamed() {
        assertThat(ScoredStep.isOwn(at(10, Attributes.empty().with("scoredStep", 10L))))
                .isTrue();
        assertThat(ScoredStep.isOwn(at(10, Attributes.empty().with("scoredStep", 5L))))
                .isFalse();
    }

    @Test
    void aLoopOfItsOwnMayLackTheNameOrUseItForAnything() {
        assertThat(ScoredStep.isOwn(at(11, Attributes.empty()))).isTrue();
        assertThat(ScoredStep.isOwn(at(11, Attributes.empty().with("scoredStep", "the tenth"))))
                .isTrue();
    }

    private static Checkpoint at(long step, Attributes attributes) {
        return Checkpoint.of(new Commit(1, "00", step, Instant.EPOCH, null, "full", "", 0, 0, attributes, List.of()));
    }
}
