package dev.cairn.checkpoint.encode;

import dev.cairn.checkpoint.CheckpointEvent.Remedy;
import dev.cairn.checkpoint.CheckpointEvent.TooCoarse;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.WeightError;
import dev.cairn.checkpoint.encode.SchemeRule.Decision;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/// Reports lossy checkpoints that are too coarse. Reports each remedy once, and again only after a checkpoint that
/// needed none. For one thread at a time.
public final class CoarseSaves {
    private final Codec codec;
    private final Set<Remedy> told = EnumSet.noneOf(Remedy.class);

    public CoarseSaves(Codec codec) {
        this.codec = codec;
    }

    /// The event for a checkpoint with this decision and this error; empty if there is nothing to report. This also
    /// finds errors that the sample did not predict.
    public Optional<TooCoarse> judge(long step, Decision decision, WeightError error) {
        boolean stillTooCoarse = error.ofChange() > SchemeRule.TOLERANCE;
        Remedy remedy = stillTooCoarse ? Remedy.NONE : decision.remedy();
        if (remedy == null) {
            told.clear();
            return Optional.empty();
        }
        if (!told.add(remedy)) {
            return Optional.empty();
        }
        return Optional.of(new TooCoarse(step, codec, remedy, stillTooCoarse ? error.ofChange() : decision.avoided()));
    }
}
