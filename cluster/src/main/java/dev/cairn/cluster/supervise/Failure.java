package dev.cairn.cluster.supervise;

import java.time.Duration;

/// The death of a worker, and how the team recovered.
///
/// @param rank the rank of the worker
/// @param step the last step that the team is known to have finished before
/// @param recovered from the notice of the death until the team was complete again
/// @param stepsLost how many finished steps had to be made again
/// @param source where the new process got its state
public record Failure(int rank, long step, Duration recovered, long stepsLost, Source source) {
    /// Where a state came from.
    public enum Source {
        /// From another worker, which had the state of the last finished step.
        PEER,
        /// From the last checkpoint, because no worker had a state any more.
        CHECKPOINT
    }
}
