package dev.cairn.observe;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.store.Attributes;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/// Something that happened in a training.
public sealed interface TrainingEvent {
    /// The time of the event, by the clock of the process.
    Instant time();

    /// The state is ready, and the first step follows.
    ///
    /// @param step the current step: 0 for a new run, otherwise the step of the restored checkpoint
    /// @param steps the last step of the training
    /// @param checkpoints the number of checkpoints in the run
    /// @param measure the name of the score, such as `accuracy`
    /// @param score the last score on the test split, from an earlier process; NaN if there is none
    /// @param settings all settings that determine the results of the run
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
    /// @param epoch the epoch of the batch, from 0
    /// @param loss the mean loss of the batch, before the update
    /// @param rate the learning rate of the update
    /// @param examples the number of examples in the batch
    record StepMade(Instant time, long step, long epoch, double loss, double rate, int examples)
            implements TrainingEvent {}

    /// The test split was scored.
    ///
    /// @param measure the name of the score, such as `accuracy`
    /// @param loss the mean loss on the test split
    /// @param bestScore the best score of the run so far, including this one
    /// @param examples the number of examples in the test split
    /// @param duration how long the training waited for the score
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

    /// A warning for the user. The training continues.
    ///
    /// @param about the kind of warning, for programs
    /// @param message the text for people
    record Warned(Instant time, long step, String about, String message) implements TrainingEvent {}

    /// The training diverged and went back to an earlier step.
    ///
    /// @param step the step after going back
    /// @param fromStep the step at which it diverged
    /// @param reason the reason, for people
    /// @param rate the learning rate of the next update
    record WentBack(Instant time, long step, long fromStep, String reason, double rate) implements TrainingEvent {}

    /// Something happened to the checkpoints of the run.
    record Checkpointed(Instant time, CheckpointEvent event) implements TrainingEvent {}

    /// Several processes train this run, and are complete again after the death of one.
    ///
    /// @param step the last finished step before
    /// @param worker its name, such as `w1`
    /// @param cause `died`; `silent` if it gave no sign of life; `differed` if its state was not that
    ///     of the others
    /// @param detected from its last sign of life to the notice of its death
    /// @param recovered from the notice of its death until all places were taken again
    /// @param stepsLost the finished steps that had to be made again
    /// @param source where the state came from: `peer` or `checkpoint`
    record Recovered(
            Instant time,
            long step,
            String worker,
            String cause,
            Duration detected,
            Duration recovered,
            long stepsLost,
            String source)
            implements TrainingEvent {}

    /// What was done in the place of one worker since this start, by all processes that had it. Told at the end.
    ///
    /// @param worker its name, such as `w1`
    /// @param steps the number of steps
    /// @param examples the number of examples
    /// @param loss the mean loss of its last share; NaN if there was none
    /// @param training the time in which a process had the place
    /// @param waited the part of it in which it waited for the others and the network
    /// @param sentBytes what it sent to other workers; empty if unknown
    /// @param receivedBytes what it received from them; empty if unknown
    /// @param accuracy the accuracy that it measured last by itself; NaN if it did not
    /// @param meanStaleness the mean age of its gradients; NaN if they made no updates of their own
    /// @param largestStaleness the largest of these ages
    record Worked(
            Instant time,
            long step,
            String worker,
            long steps,
            long examples,
            double loss,
            Duration training,
            Duration waited,
            OptionalLong sentBytes,
            OptionalLong receivedBytes,
            double accuracy,
            double meanStaleness,
            long largestStaleness)
            implements TrainingEvent {}

    /// The training ended normally or with an exception. A process that is killed sends no event.
    ///
    /// @param loss the loss of the last step; NaN if there was none
    /// @param reason the reason, for people; empty unless there was an error
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
        /// With an exception.
        FAILED
    }
}
