package dev.cairn.train;

import dev.cairn.checkpoint.Checkpoint;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The step at which the score of a checkpoint was measured: a training repeats its last score until it scores again.
public final class ScoredStep {
    static final String ATTRIBUTE = "scoredStep";

    private ScoredStep() {}

    /// Whether the score in a checkpoint was measured at the checkpoint's own step. For attributes that were not
    /// written by a Cairn training, this is assumed.
    public static boolean isOwn(Checkpoint checkpoint) {
        Map<String, @Nullable Object> attributes = checkpoint.attributes().asMap();
        if (attributes.get(ATTRIBUTE) instanceof Long scored) {
            return scored == checkpoint.step();
        }
        // Earlier versions do not store the step, but score at a fixed interval.
        long every = attributes.get("evaluateEvery") instanceof Long steps ? steps : 1;
        return checkpoint.step() % Math.max(every, 1) == 0 && !Boolean.TRUE.equals(attributes.get("scoreDue"));
    }

    /// The score of the checkpoint's own step; empty if that step was not scored.
    static Optional<Double> score(Checkpoint checkpoint, String label) {
        return isOwn(checkpoint)
                ? checkpoint.attributes().number(label).filter(value -> !value.isNaN())
                : Optional.empty();
    }
}
