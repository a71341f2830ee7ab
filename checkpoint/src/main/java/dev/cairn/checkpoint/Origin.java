package dev.cairn.checkpoint;

import dev.cairn.store.Attributes;
import java.util.Map;
import java.util.Optional;

/// The checkpoint of another run that a forked run started from. Every checkpoint of the forked run records it in
/// its attributes.
///
/// @param run the name of the other run at that time
/// @param id the id of the other run's checkpoint, unique among all checkpoints
/// @param step the step of that checkpoint
public record Origin(String run, String id, long step) {
    private static final String RUN = "cairn.originRun";
    private static final String ID = "cairn.originId";
    private static final String STEP = "cairn.originStep";

    static Origin of(String run, Checkpoint checkpoint) {
        return new Origin(run, checkpoint.id(), checkpoint.step());
    }

    /// The origin in the attributes of a checkpoint; empty if its run was not forked.
    public static Optional<Origin> of(Attributes attributes) {
        Map<String, Object> values = attributes.asMap();
        return values.get(RUN) instanceof String run
                        && values.get(ID) instanceof String id
                        && values.get(STEP) instanceof Long step
                ? Optional.of(new Origin(run, id, step))
                : Optional.empty();
    }

    Attributes asAttributes() {
        return Attributes.empty().with(RUN, run).with(ID, id).with(STEP, step);
    }
}
