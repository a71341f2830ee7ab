package dev.cairn.app.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.checkpoint.Selector;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The checkpoint that `@best` selected. It is the best of the existing checkpoints, which may not include the
/// step with the best score.
///
/// @param asked whether the user asked for `@best`
/// @param used the step of the selected checkpoint
/// @param scored the step with the best score, from the run's newest record; empty if it is not recorded
/// @param kept whether the run has a checkpoint of that step
public record BestStep(boolean asked, long used, Optional<Long> scored, boolean kept) {
    /// Reads the records of the run.
    public static BestStep of(Selector selector, CheckpointStore store, long used) throws IOException {
        return of(selector, store.history(), used);
    }

    public static BestStep of(Selector selector, History history, long used) {
        List<Commit> checkpoints = history.currentCheckpoints();
        Optional<Long> scored = checkpoints.isEmpty()
                ? Optional.empty()
                : scored(checkpoints.getLast().attributes().asMap().get("bestStep"));
        boolean kept = scored.isPresent() && checkpoints.stream().anyMatch(each -> each.step() == scored.get());
        return new BestStep(selector instanceof Selector.Best, used, scored, kept);
    }

    /// Other training loops may use this name for other values.
    private static Optional<Long> scored(@Nullable Object bestStep) {
        return bestStep instanceof Long step && step > 0 ? Optional.of(step) : Optional.empty();
    }

    /// Returns a note if the selected checkpoint is not of the step with the best score.
    public Optional<String> note() {
        if (!asked || scored.isEmpty() || scored.get() == used) {
            return Optional.empty();
        }
        return Optional.of("cairn: @best is step %d, the best saved step; step %d has the best score but %s"
                .formatted(used, scored.get(), kept ? "was skipped" : "has no checkpoint"));
    }

    /// Puts `bestStep`, which is null if nothing was scored, and `bestIsKept`.
    public void put(ObjectNode document) {
        document.put("bestStep", scored.orElse(null)).put("bestIsKept", kept);
    }
}
