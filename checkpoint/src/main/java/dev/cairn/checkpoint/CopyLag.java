package dev.cairn.checkpoint;

import java.time.Duration;
import java.util.OptionalLong;

/// What would be lost with the run's own storage: how far its copy is behind.
///
/// @param checkpoints that were saved since the newest one that is known to be in the copy
/// @param steps between that one and the newest; empty until the copy was looked at, for nobody knows what it has
/// @param time since the first of them was saved
/// @param reachable false where the storage of the copy did not answer when it was last tried
/// @param kept false where the copy is not kept up any more, because it was removed, replaced or taken over
public record CopyLag(int checkpoints, OptionalLong steps, Duration time, boolean reachable, boolean kept) {
    public static final CopyLag NONE = new CopyLag(0, OptionalLong.of(0), Duration.ZERO, true, true);

    /// Whether the copy has all that was saved.
    public boolean isNone() {
        return checkpoints == 0;
    }
}
