package dev.cairn.train;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.ForkPoint;
import dev.cairn.checkpoint.Matching;
import dev.cairn.engine.InvalidSettingException;
import dev.cairn.train.Trainer.Start;
import java.io.IOException;
import java.util.Optional;

/// Fills the state of a run at the start of its training.
record LoopStart(TrainingSettings settings, Goals goals) {
    /// Restores, or starts at step 0. Returns the checkpoint that was restored, if there was one.
    Optional<Checkpoint> begin(Start start, Checkpoints checkpoints, TrainingRun run) throws IOException {
        if (Trainer.savesEpochs(checkpoints) && !settings.epochs().isSet()) {
            throw new InvalidSettingException("epochs", "must be given, because the ends of epochs are to be saved");
        }
        Optional<Checkpoint> from = switch (start) {
            case Start.Resume(Matching matching) -> checkpoints.restoreLatest(run, matching);
            case Start.Fresh _ -> Optional.empty();
            case Start.Fork(ForkPoint point, Matching matching) ->
                Optional.of(checkpoints.restoreFrom(point, run, matching));
        };
        if (run.step() < settings.steps()) {
            checkpoints.checkRoom(run);
        }
        if (start instanceof Start.Fresh && checkpoints.count() > 0) {
            // Last, so that a refusal above leaves the run unchanged.
            checkpoints.startFresh();
        }
        if (start instanceof Start.Fork) {
            // From now on, the fork depends neither on the other run nor on this process.
            checkpoints.saveNow(run.step(), run);
        } else if (goals.rollback() > 0 && checkpoints.count() == 0) {
            // A checkpoint to go back to if the training diverges before its first save.
            checkpoints.saveNow(run.step(), run);
        }
        return from;
    }
}
