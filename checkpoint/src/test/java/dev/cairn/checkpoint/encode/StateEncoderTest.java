package dev.cairn.checkpoint.encode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.WalkingState;
import dev.cairn.checkpoint.WeightError;
import dev.cairn.checkpoint.capture.Capture;
import dev.cairn.checkpoint.chain.Lineage;
import dev.cairn.checkpoint.encode.StateEncoder.Effort;
import dev.cairn.checkpoint.encode.StateEncoder.Precision;
import dev.cairn.codec.Frame;
import dev.cairn.store.Attributes;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.segment.TensorSource;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class StateEncoderTest {
    private final WalkingState state = new WalkingState(42, 0.1f);

    @Test
    void onlyTheUsualEffortFindsPatterns() throws IOException {
        try (var encoder = new StateEncoder(Codec.parse("uq:0.5"), 8, 1, new Lineage())) {
            EncodingPlan base = encoder.plan(captured(), Precision.USUAL, Effort.USUAL);
            for (TensorSource tensor : base.tensors()) {
                for (long block = 0; block < tensor.blocks(); block++) {
                    tensor.encode(block, 0, new Frame());
                }
            }
            encoder.committed(commit(), WeightError.NONE);
            for (int i = 0; i < 5; i++) {
                state.makeStep();
            }
            EncodingPlan usual = encoder.plan(captured(), Precision.USUAL, Effort.USUAL);
            EncodingPlan quick = encoder.plan(captured(), Precision.USUAL, Effort.QUICK);
            assertThat(usual.decision()).isPresent();
            assertThat(usual.tables().patterns()).hasSize(1);
            assertThat(quick.decision()).isPresent();
            assertThat(quick.tables().patterns()).isEmpty();
        }
    }

    private List<Capture.Tensor> captured() {
        return state.tensors().stream()
                .map(tensor -> new Capture.Tensor(tensor.spec(), tensor.memory(), null))
                .toList();
    }

    private static Commit commit() {
        return new Commit(
                1, "base", 1, Instant.EPOCH, null, "uq:0.5", "0".repeat(64), 0, 1, Attributes.empty(), List.of());
    }
}
