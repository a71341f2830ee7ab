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

/// What `@best` came to: the best of the checkpoints there are need not be of the step that scored best.
///
/// @param asked whether the user said `@best`
/// @param used the step of the checkpoint that was taken
/// @param scored the step that scored best, as the run's newest record tells; empty where it does not
/// @param kept whether the run has a checkpoint of that step
public record BestStep(boolean asked, long used, Optional<Long> scored, boolean kept) {
    /// Looks into the records of the run.
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

    /// A training of somebody else's may mean anything by that name.
    private static Optional<Long> scored(@Nullable Object bestStep) {
        return bestStep instanceof Long step && step > 0 ? Optional.of(step) : Optional.empty();
    }

    /// What to say where the best step is not what was asked for and got.
    public Optional<String> note() {
        if (!asked || scored.isEmpty() || scored.get() == used) {
            return Optional.empty();
        }
        return Optional.of("cairn: @best is step %d, the best of those saved; step %d scored best and %s"
                .formatted(used, scored.get(), kept ? "was passed over" : "has no checkpoint"));
    }

    /// For scripts: `bestStep`, null where nothing was scored, and `bestIsKept`.
    public void put(ObjectNode document) {
        document.put("bestStep", scored.orElse(null)).put("bestIsKept", kept);
    }
}
