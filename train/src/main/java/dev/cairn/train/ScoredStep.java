package dev.cairn.train;

import dev.cairn.store.Attributes;
import dev.cairn.store.LogRecord.Checkpoint;
import java.util.Optional;

/// Which step the score of a checkpoint was measured at: a training carries its last score on until it scores again.
public final class ScoredStep {
    static final String ATTRIBUTE = "scoredStep";

    private ScoredStep() {}

    /// Whether what the checkpoint tells of its score was measured at its own step. Of attributes that no training of
    /// Cairn's wrote nothing else is known.
    public static boolean isOwn(Checkpoint checkpoint) {
        Attributes attributes = checkpoint.attributes();
        Optional<Long> scored = attributes.integer(ATTRIBUTE);
        if (scored.isPresent()) {
            return scored.get() == checkpoint.step();
        }
        // Earlier versions do not tell, but score every so many steps.
        long every = attributes.integer("evaluateEvery").orElse(1L);
        return checkpoint.step() % Math.max(every, 1) == 0
                && !attributes.flag("scoreDue").orElse(false);
    }

    /// The score of its own step; empty where that was not scored.
    static Optional<Double> score(Checkpoint checkpoint, String label) {
        return isOwn(checkpoint)
                ? checkpoint.attributes().number(label).filter(value -> !value.isNaN())
                : Optional.empty();
    }
}
