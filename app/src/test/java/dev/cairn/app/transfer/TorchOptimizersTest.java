package dev.cairn.app.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.ElementType;
import dev.cairn.codec.parity.ParityLayout;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.Manifest;
import dev.cairn.store.segment.SegmentName;
import dev.cairn.store.segment.SegmentRef;
import dev.cairn.store.segment.TensorRef;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class TorchOptimizersTest {
    private static final Attributes OURS =
            Attributes.empty().with("optimizer", "sgd").with("rate", 0.1);

    private static Manifest manifest(Attributes attributes) {
        var spec = new TensorSpec("w", ElementType.FLOAT32, List.of(2L), Role.WEIGHT);
        return new Manifest(
                new Commit(
                        1,
                        "00000000000000ab",
                        10,
                        Instant.EPOCH,
                        null,
                        "full",
                        "",
                        0,
                        spec.sizeBytes(),
                        attributes,
                        List.of(new SegmentRef(
                                new SegmentName(1, "test", 1).file(), 1, new ParityLayout(1, 512, 9), 0, ""))),
                List.of(new TensorRef(spec, "full", 0, 0, 1, OptionalDouble.empty())));
    }

    @Test
    void isThatOfTheRunsSettings() {
        assertThat(TorchOptimizers.of(manifest(OURS.with("schedule", "linear").with("steps", 100L))))
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
            assertThat(TorchOptimizers.of(manifest(others))).as("%s", others).isEmpty();
        }
    }
}
