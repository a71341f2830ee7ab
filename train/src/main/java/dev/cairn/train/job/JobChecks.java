package dev.cairn.train.job;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.store.location.RunLocation;
import dev.cairn.train.TrainingSettings.RefusedException;
import java.io.IOException;
import java.util.Optional;

/// Refuses jobs that cannot be done, before anything is created.
record JobChecks(JobPlan plan) {
    void all() throws IOException, JobRefusedException, RefusedException {
        checkPlaceOfCopy();
        if (plan.beginning() instanceof Beginning.Fork fork
                && fork.source().isSameAs(plan.run().location())) {
            throw new JobRefusedException(new Refusal.ForkOfItself());
        }
        boolean begun = plan.run().hasBegun();
        if (!begun && plan.beginning() instanceof Beginning.Fork fork) { // otherwise the other run need not exist
            plan.settings(fork.start());
        }
        plan.settings(Optional.empty());
        if (!begun && !(plan.beginning() instanceof Beginning.Fresh)) {
            checkContentsOfCopy();
        }
    }

    /// Refuses a copy that is at the same place as its run, inside it or around it.
    private void checkPlaceOfCopy() throws IOException, JobRefusedException {
        if (plan.saving().copy().isEmpty()) {
            return;
        }
        RunLocation run = plan.run().location();
        RunLocation copy = plan.saving().copy().get().location();
        if (copy.isSameAs(run)) {
            throw new JobRefusedException(new Refusal.CopyOverlaps(Refusal.Overlap.SAME_PLACE));
        }
        if (copy.isInside(run)) {
            throw new JobRefusedException(new Refusal.CopyOverlaps(Refusal.Overlap.COPY_INSIDE_RUN));
        }
        if (run.isInside(copy)) {
            throw new JobRefusedException(new Refusal.CopyOverlaps(Refusal.Overlap.RUN_INSIDE_COPY));
        }
    }

    /// Refuses the copy of another run, before an empty run is restored from it.
    private void checkContentsOfCopy() throws IOException, JobRefusedException {
        if (plan.saving().copy().isEmpty()) {
            return;
        }
        Place copy = plan.saving().copy().get();
        Optional<Checkpoint> newest = CopyUnavailableException.asking(copy::newest);
        if (newest.isEmpty()) {
            return;
        }
        if (plan.beginning() instanceof Beginning.Fork fork) {
            fork.checkOrigin(Refusal.Holder.COPY, newest.get());
        }
        try {
            plan.settings(newest);
        } catch (RefusedException e) {
            String difference =
                    e.difference().map(found -> "it has " + found).orElseGet(() -> String.valueOf(e.getMessage()));
            throw new JobRefusedException(new Refusal.CopyOfAnotherRun(difference), e);
        }
    }
}
