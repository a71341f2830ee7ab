package dev.cairn.cluster.control;

/// The death of a worker, and how the team recovered.
///
/// @param rank the rank of the worker
/// @param cause how it came
/// @param step the last step that the team is known to have finished before
/// @param detectedSeconds from the last sign of life of the worker until its death was noticed: at most this long after
///     it
/// @param recoveredSeconds from the notice of the death until the team was complete again
/// @param stepsLost how many finished steps had to be made again
/// @param source where the team got its state
public record Failure(
        int rank,
        Cause cause,
        long step,
        double detectedSeconds,
        double recoveredSeconds,
        long stepsLost,
        Source source) {
    /// How a death came.
    public enum Cause {
        /// The process ended.
        DIED,
        /// It gave no sign of life, and was ended.
        SILENT,
        /// Its state differed from that of the others, and it was ended.
        DIFFERED
    }

    /// Where a state came from.
    public enum Source {
        /// From another worker, which had the state of the last finished step.
        PEER,
        /// From the last checkpoint, because no worker had a state any more.
        CHECKPOINT
    }
}
