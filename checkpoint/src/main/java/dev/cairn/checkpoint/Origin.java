package dev.cairn.checkpoint;

import dev.cairn.store.Attributes;
import java.util.Map;
import java.util.Optional;

/// Where a forked run began. Every checkpoint of the run tells it, among its attributes.
///
/// @param run the other run's name at the time
/// @param id of the other run's checkpoint, unique among all
public record Origin(String run, String id, long step) {
    private static final String RUN = "cairn.originRun";
    private static final String ID = "cairn.originId";
    private static final String STEP = "cairn.originStep";

    static Origin of(String run, Checkpoint checkpoint) {
        return new Origin(run, checkpoint.id(), checkpoint.step());
    }

    /// The origin that a checkpoint tells; empty where its run was not forked.
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
