package dev.cairn.checkpoint.notice;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A sign that the training must end.
///
/// @param reason the origin of the notice, for people: `SIGTERM`, `file stop`
/// @param timeLeft the time until the machine is gone; null if the notice does not say
/// @param insists whether it means "at once" if it is not the first notice: a signal, or a file touched again
public record Notice(String reason, @Nullable Duration timeLeft, boolean insists) {
    /// A notice that a user gives directly: a second one means "at once".
    public static Notice byHand(String reason) {
        return new Notice(reason, null, true);
    }
}
