package dev.cairn.checkpoint.notice;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The word that a training must end.
///
/// @param reason who says so, for people: `SIGTERM`, `file stop`
/// @param timeLeft until the machine is gone; null where the notice does not say
/// @param insists whether it means "at once" where it is not the first: a signal, or a file touched again
public record Notice(String reason, @Nullable Duration timeLeft, boolean insists) {
    /// Somebody asks for it now: a second time means at once.
    public static Notice byHand(String reason) {
        return new Notice(reason, null, true);
    }
}
