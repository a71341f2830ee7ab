package dev.cairn.app.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.LogRecord.SegmentRef;
import dev.cairn.store.LogRecord.TensorRef;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TorchOptimizersTest {
    private static final Attributes OURS =
            Attributes.empty().with("optimizer", "sgd").with("rate", 0.1);

    private static Checkpoint checkpoint(Attributes attributes) {
        return new Checkpoint(
                1,
                "00000000000000ab",
                10,
                Instant.EPOCH,
                null,
                "full",
                "",
                0,
                attributes,
                List.of(new SegmentRef("segments/0000000001-00000000000000ab.seg", 1, 1)),
                List.of(new TensorRef(
                        new TensorSpec("w", ElementType.FLOAT32, List.of(2L), Role.WEIGHT), "full", 0, 0)));
    }

    @Test
    void isThatOfTheRunsSettings() {
        assertThat(TorchOptimizers.of(checkpoint(OURS.with("schedule", "linear").with("steps", 100L))))
                .hasValueSatisfying(found -> assertThat(found.options()).containsKey("lr"));
    }

    @Test
    void aLoopOfItsOwnMayUseTheNamesOfSettingsForAnything() {
        for (Attributes others : List.of(
                Attributes.empty().with("optimizer", 3L).with("rate", 0.1),
                Attributes.empty().with("optimizer", "sgd").with("rate", 1L),
                OURS.with("schedule", "mine"),
                OURS.with("steps", "many"),
                OURS.with("rateFactor", true),
                OURS.with("weightDecay", "none"))) {
            assertThat(TorchOptimizers.of(checkpoint(others))).as("%s", others).isEmpty();
        }
    }
}
