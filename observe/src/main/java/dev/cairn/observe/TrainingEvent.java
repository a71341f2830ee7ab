package dev.cairn.observe;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.store.Attributes;
import java.time.Duration;
import java.time.Instant;

/// Something that happened in a training.
public sealed interface TrainingEvent {
    /// When it happened, by the clock of the process.
    Instant time();

    /// The state is in place, and the first step comes next.
    ///
    /// @param step where the training stands: 0 for a new run, that of the restored checkpoint otherwise
    /// @param steps up to which it trains
    /// @param checkpoints how many the run has
    /// @param measure the name of what scores are, such as `accuracy`
    /// @param score of the last time that the test split was scored, in an earlier process; NaN if it was not
    /// @param settings all that decides the numbers of the run
    record Started(
            Instant time,
            Begin begin,
            long step,
            long steps,
            int checkpoints,
            String measure,
            double score,
            Attributes settings)
            implements TrainingEvent {}

    /// How a training began.
    enum Begin {
        /// At step 0 of a run without checkpoints.
        NEW,
        /// At the newest good checkpoint of the run.
        RESUMED,
        /// At step 0, although the run had checkpoints.
        FRESH,
        /// At a checkpoint of another run.
        FORKED
    }

    /// The optimizer made a step. Scores and saves of the step come later.
    ///
    /// @param epoch of the batch, from 0 on
    /// @param loss mean loss of the batch, before the update
    /// @param rate learning rate of the update
    /// @param examples in the batch
    record StepMade(Instant time, long step, long epoch, double loss, double rate, int examples)
            implements TrainingEvent {}

    /// The test split was scored.
    ///
    /// @param measure the name of the score, such as `accuracy`
    /// @param loss mean loss on the test split
    /// @param bestScore of the run so far, this one included
    /// @param examples in the test split
    /// @param duration how long the training waited for it
    record Scored(
            Instant time,
            long step,
            String measure,
            double score,
            double loss,
            double bestScore,
            long bestStep,
            long examples,
            Duration duration)
            implements TrainingEvent {}

    /// Something that the user should know. The training goes on.
    ///
    /// @param about which warning it is, for programs
    /// @param message for people
    record Warned(Instant time, long step, String about, String message) implements TrainingEvent {}

    /// The training went wrong and now stands at an earlier step.
    ///
    /// @param step where it stands now
    /// @param fromStep where it went wrong
    /// @param reason for people
    /// @param rate learning rate of the next update
    record WentBack(Instant time, long step, long fromStep, String reason, double rate) implements TrainingEvent {}

    /// Something happened to the checkpoints of the run.
    record Checkpointed(Instant time, CheckpointEvent event) implements TrainingEvent {}

    /// The training ended by itself, or by an exception. A process that was killed tells nothing.
    ///
    /// @param loss of the last step; NaN if there was none
    /// @param reason for people; empty unless something went wrong
    record Ended(Instant time, long step, Outcome outcome, double loss, String reason) implements TrainingEvent {}

    /// How a training ended.
    enum Outcome {
        /// At its last step.
        DONE,
        /// At a goal.
        GOAL,
        /// On a notice.
        NOTICE,
        /// Because the loss diverged.
        DIVERGED,
        /// By an exception.
        FAILED
    }
}
