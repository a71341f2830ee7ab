package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.Checkpoint.Kind;
import dev.cairn.store.Attributes;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.LogRecord.Parent;
import dev.cairn.store.segment.SegmentRef;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CheckpointTest {
    private static Checkpoint of(@Nullable Parent parent, long replaces, Attributes attributes) {
        return Checkpoint.of(new Commit(
                9, "ab", 40, Instant.EPOCH, parent, "uq:0.5", "", replaces, 1000, attributes, List.<SegmentRef>of()));
    }

    @Test
    void aBaseNeedsNoOther() {
        Checkpoint base = of(null, 0, Attributes.empty());
        assertThat(base.kind()).isEqualTo(Kind.BASE);
        assertThat(base.parentId()).isEmpty();
        assertThat(base.error()).isEqualTo(WeightError.NONE);
        assertThat(base.origin()).isEmpty();
    }

    @Test
    void aDeltaTellsItsParentAndItsError() {
        var error = new WeightError(0.01, 0.5);
        Checkpoint delta = of(new Parent("cd", ""), 0, error.asAttributes());
        assertThat(delta.kind()).isEqualTo(Kind.DELTA);
        assertThat(delta.parentId()).contains("cd");
        assertThat(delta.error()).isEqualTo(error);
    }

    @Test
    void mergingKeepsTheNumber() {
        Checkpoint merged = of(null, 7, Attributes.empty());
        assertThat(merged.kind()).isEqualTo(Kind.MERGED);
        assertThat(merged.number()).isEqualTo(7);
    }
}
