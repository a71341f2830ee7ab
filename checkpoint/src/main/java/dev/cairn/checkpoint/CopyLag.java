package dev.cairn.checkpoint;

import java.time.Duration;

/// What would be lost with the run's own storage: how far its copy is behind.
///
/// @param checkpoints that were saved since the newest one that is in the copy
/// @param steps between that one and the newest
/// @param time since the first of them was saved
public record CopyLag(int checkpoints, long steps, Duration time) {
    static final CopyLag NONE = new CopyLag(0, 0, Duration.ZERO);
}
