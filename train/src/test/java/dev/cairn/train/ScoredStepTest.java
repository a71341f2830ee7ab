package dev.cairn.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.store.Attributes;
import dev.cairn.store.log.LogRecord.Commit;
import java.time.Instant;
import java.util.List;
import java.util.Map;
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
    void whereNoneIsNamedItIsOfEverySoManySteps() {
        Attributes attributes = Attributes.empty().with("evaluateEvery", 5L);
        assertThat(ScoredStep.isOwn(at(10, attributes))).isTrue();
        assertThat(ScoredStep.isOwn(at(11, attributes))).isFalse();
        assertThat(ScoredStep.isOwn(at(10, attributes.with("scoreDue", true)))).isFalse();
    }

    @Test
    void aLoopOfItsOwnMayUseTheNamesForAnything() {
        Attributes attributes = Attributes.empty()
                .with("scoredStep", "the tenth")
                .with("evaluateEvery", Map.of())
                .with("scoreDue", List.of());
        assertThat(ScoredStep.isOwn(at(11, attributes))).isTrue();
    }

    private static Checkpoint at(long step, Attributes attributes) {
        return Checkpoint.of(new Commit(1, "00", step, Instant.EPOCH, null, "full", "", 0, 0, attributes, List.of()));
    }
}
