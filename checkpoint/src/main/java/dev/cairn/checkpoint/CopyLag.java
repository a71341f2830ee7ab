package dev.cairn.checkpoint;

import java.time.Duration;
import java.util.OptionalLong;

/// How far the copy of a run is behind the run: what would be lost with the run's own storage.
///
/// @param checkpoints the number of checkpoints saved since the newest one that is known to be in the copy
/// @param steps the number of steps between that one and the newest; empty until the copy was read for the first
///     time
/// @param time the time since the first of these checkpoints was saved
/// @param reachable false if the storage of the copy did not answer at the last attempt
/// @param kept false if the copy is no longer updated, because it was removed, replaced or taken over
public record CopyLag(int checkpoints, OptionalLong steps, Duration time, boolean reachable, boolean kept) {
    /// The lag of a copy that has every checkpoint.
    public static final CopyLag NONE = new CopyLag(0, OptionalLong.of(0), Duration.ZERO, true, true);

    /// Whether the copy has every saved checkpoint.
    public boolean isNone() {
        return checkpoints == 0;
    }
}
