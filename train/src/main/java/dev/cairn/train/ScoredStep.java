package dev.cairn.train;

import dev.cairn.checkpoint.Checkpoint;
import java.util.Optional;

/// The step at which the score of a checkpoint was measured: a training repeats its last score until it scores again.
public final class ScoredStep {
    static final String ATTRIBUTE = "scoredStep";

    private ScoredStep() {}

    /// Whether the score in a checkpoint was measured at the checkpoint's own step. For attributes that were not
    /// written by a Cairn training, this is assumed.
    public static boolean isOwn(Checkpoint checkpoint) {
        return !(checkpoint.attributes().asMap().get(ATTRIBUTE) instanceof Long scored) || scored == checkpoint.step();
    }

    /// The score of the checkpoint's own step; empty if that step was not scored.
    static Optional<Double> score(Checkpoint checkpoint, String label) {
        return isOwn(checkpoint)
                ? checkpoint.attributes().number(label).filter(value -> !value.isNaN())
                : Optional.empty();
    }
}
