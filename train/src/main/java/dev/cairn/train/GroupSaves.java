package dev.cairn.train;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.store.right.Generation;
import dev.cairn.train.Trainer.Start;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/// The saves of one process of a team.
sealed interface GroupSaves {
    /// Fills the state at the start, if this process is the one that does.
    Optional<Checkpoint> begin(TrainingRun run) throws IOException;

    /// Whether the state is filled by [#begin].
    boolean hasState();

    /// Takes the run for the group that has formed, if this process is the one that does.
    void formed(Generation group) throws IOException;

    /// The number of checkpoints in the run.
    int count() throws IOException;

    boolean isDue(long step) throws IOException;

    /// Whether the ends of epochs are saved.
    boolean savesEpochs();

    /// Whether the scored state is one of the best, and is saved for that.
    boolean isBest(TrainingRun run) throws IOException;

    void beforeUpdate();

    void afterStep(TrainingRun run, boolean save) throws IOException;

    /// Saves bit for bit, and returns whether the state is saved.
    boolean saveNow(TrainingRun run) throws IOException;

    void tidy() throws IOException;

    OptionalLong newestStepUpTo(long step) throws IOException;

    /// The saves of the leader.
    record Leading(Checkpoints checkpoints, Start start, LoopStart starting, Notices notices) implements GroupSaves {
        @Override
        public Optional<Checkpoint> begin(TrainingRun run) throws IOException {
            return starting.begin(start, checkpoints, run);
        }

        @Override
        public boolean hasState() {
            return true;
        }

        @Override
        public void formed(Generation group) throws IOException {
            checkpoints.declare(group);
        }

        @Override
        public int count() throws IOException {
            return checkpoints.count();
        }

        @Override
        public boolean isDue(long step) throws IOException {
            return checkpoints.isSaveDue(step);
        }

        @Override
        public boolean savesEpochs() {
            return Trainer.savesEpochs(checkpoints);
        }

        @Override
        public boolean isBest(TrainingRun run) throws IOException {
            return checkpoints.isBestToSave(run.step(), run);
        }

        @Override
        public void beforeUpdate() {
            checkpoints.beforeUpdate();
        }

        @Override
        public void afterStep(TrainingRun run, boolean save) throws IOException {
            checkpoints.afterStep(run.step(), run, save);
        }

        @Override
        public boolean saveNow(TrainingRun run) throws IOException {
            return checkpoints.saveNow(run.step(), run, notices).isSaved();
        }

        @Override
        public void tidy() throws IOException {
            checkpoints.tidy(notices::isGiven);
        }

        @Override
        public OptionalLong newestStepUpTo(long step) throws IOException {
            return checkpoints.newestStepUpTo(step);
        }
    }

    /// A process that saves nothing: the leader does.
    record None() implements GroupSaves {
        @Override
        public Optional<Checkpoint> begin(TrainingRun run) {
            return Optional.empty();
        }

        @Override
        public boolean hasState() {
            return false;
        }

        @Override
        public void formed(Generation group) {}

        @Override
        public int count() {
            return 0;
        }

        @Override
        public boolean isDue(long step) {
            return false;
        }

        @Override
        public boolean savesEpochs() {
            return false;
        }

        @Override
        public boolean isBest(TrainingRun run) {
            return false;
        }

        @Override
        public void beforeUpdate() {}

        @Override
        public void afterStep(TrainingRun run, boolean save) {}

        @Override
        public boolean saveNow(TrainingRun run) {
            return true;
        }

        @Override
        public void tidy() {}

        @Override
        public OptionalLong newestStepUpTo(long step) {
            return OptionalLong.empty();
        }
    }
}
