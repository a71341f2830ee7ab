package dev.cairn.train;

import dev.cairn.checkpoint.Checkpoint;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Which step the score of a checkpoint was measured at: a training carries its last score on until it scores again.
public final class ScoredStep {
    static final String ATTRIBUTE = "scoredStep";

    private ScoredStep() {}

    /// Whether what the checkpoint tells of its score was measured at its own step. Of attributes that no training of
    /// Cairn's wrote nothing else is known.
    public static boolean isOwn(Checkpoint checkpoint) {
        Map<String, @Nullable Object> attributes = checkpoint.attributes().asMap();
        if (attributes.get(ATTRIBUTE) instanceof Long scored) {
            return scored == checkpoint.step();
        }
        // Earlier versions do not tell, but score every so many steps.
        long every = attributes.get("evaluateEvery") instanceof Long steps ? steps : 1;
        return checkpoint.step() % Math.max(every, 1) == 0 && !Boolean.TRUE.equals(attributes.get("scoreDue"));
    }

    /// The score of its own step; empty where that was not scored.
    static Optional<Double> score(Checkpoint checkpoint, String label) {
        return isOwn(checkpoint)
                ? checkpoint.attributes().number(label).filter(value -> !value.isNaN())
                : Optional.empty();
    }
}
