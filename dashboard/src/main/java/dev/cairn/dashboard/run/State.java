package dev.cairn.dashboard.run;

/// What a run does now, as its files and processes tell.
public enum State {
    /// A process trains it.
    TRAINING,
    /// It ended at its last step.
    DONE,
    /// It ended at a goal.
    GOAL,
    /// It was stopped by a notice, and can be resumed.
    STOPPED,
    /// It ended because its loss exploded.
    DIVERGED,
    /// It ended with an error.
    FAILED,
    /// Its process ended without a word, and can be resumed.
    KILLED,
    /// A process on another host has not been heard of for minutes.
    SILENT,
    /// It has no events.
    UNKNOWN
}
