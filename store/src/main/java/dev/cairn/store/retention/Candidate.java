package dev.cairn.store.retention;

import dev.cairn.store.Attributes;
import dev.cairn.store.log.LogRecord.Commit;
import java.time.Instant;
import java.util.OptionalDouble;

/// A checkpoint as retention sees it.
///
/// @param number the position among the other checkpoints; for a merged checkpoint, its first number
/// @param attributes the attributes with the metrics
/// @param damaged whether it cannot be restored, because of its own damage or a parent's
public record Candidate(long number, long step, Instant time, Attributes attributes, boolean damaged) {
    /// A checkpoint that can be restored, as far as is known.
    public static Candidate good(Commit checkpoint) {
        return of(checkpoint, false);
    }

    /// A checkpoint whose record can be read, but that cannot be restored.
    public static Candidate damaged(Commit checkpoint) {
        return of(checkpoint, true);
    }

    /// A number in the log whose record cannot be read: its step and time are unknown.
    public static Candidate unreadable(long number) {
        return new Candidate(number, 0, Instant.EPOCH, Attributes.empty(), true);
    }

    /// The value of a metric; empty if the checkpoint has none, or has NaN.
    OptionalDouble metric(String name) {
        return switch (attributes.asMap().get(name)) {
            case Double value when !Double.isNaN(value) -> OptionalDouble.of(value);
            case Long value -> OptionalDouble.of(value);
            case null, default -> OptionalDouble.empty();
        };
    }

    private static Candidate of(Commit checkpoint, boolean damaged) {
        return new Candidate(
                checkpoint.position(), checkpoint.step(), checkpoint.time(), checkpoint.attributes(), damaged);
    }
}
