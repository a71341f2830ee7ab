package dev.cairn.checkpoint;

import dev.cairn.checkpoint.save.WaitBudget;
import java.io.IOException;
import java.time.Duration;

/// Measures the time that the training waits for captures and saves, and limits the waits for a previous save.
/// For the training thread.
final class LoopWaits {
    private final RunParts run;
    private final WaitBudget budget;
    private Duration total = Duration.ZERO;

    LoopWaits(RunParts run) {
        this.run = run;
        this.budget = new WaitBudget(run.nanos());
    }

    /// Waits until no thread reads the live tensors any more.
    void forCapture() {
        add(run.captures.await());
    }

    /// Whether the previous save is still running after a wait of this length, or after what is left of the
    /// budget if that is less.
    boolean isStillSaving(Duration patience) throws IOException {
        long start = run.nanos();
        // With a write limit a save is slow on purpose, so the training does not wait for it.
        boolean limited = run.options.resources().writeLimit().isPresent();
        boolean saving = run.saver.isSaving(budget.least(limited ? Duration.ZERO : patience, start));
        Duration waited = run.since(start);
        budget.spend(waited);
        add(waited);
        return saving;
    }

    void add(Duration waited) {
        total = total.plus(waited);
    }

    /// The time that the training has waited since the run was opened.
    Duration total() {
        return total;
    }
}
