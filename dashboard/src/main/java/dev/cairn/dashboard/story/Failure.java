package dev.cairn.dashboard.story;

/// A time in which a run made no progress because something went wrong.
///
/// @param kind what went wrong
/// @param from in milliseconds since 1970: the last sign of life
/// @param to when it made steps again; the present if it has not
/// @param who the process, such as `w0`
/// @param step the last step that is known of before
/// @param stepsLost the steps that had to be made again; negative if unknown
/// @param resumedStep the step from which it went on; negative if it has not
/// @param reason for people; empty if it is not known
public record Failure(
        Kind kind, long from, long to, String who, long step, long stepsLost, long resumedStep, String reason) {
    /// What went wrong.
    public enum Kind {
        /// The process ended without a word: it was killed, or its machine died.
        KILLED,
        /// It ended with an error.
        FAILED,
        /// The loss exploded.
        DIVERGED,
        /// A worker of several was replaced.
        REPLACED
    }

    /// Whether the run has not gone on since.
    public boolean isOpen() {
        return resumedStep < 0;
    }
}
