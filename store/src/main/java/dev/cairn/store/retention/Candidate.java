package dev.cairn.store.retention;

import dev.cairn.store.Attributes;
import dev.cairn.store.log.LogRecord.Commit;
import java.time.Instant;
import java.util.OptionalDouble;

/// A checkpoint as retention sees it.
///
/// @param number its place among the others; of a merged one, the number that it first had
/// @param attributes where its metrics are
/// @param damaged whether it cannot be restored, by itself or by a parent
public record Candidate(long number, long step, Instant time, Attributes attributes, boolean damaged) {
    /// A checkpoint that can be restored, as far as is known.
    public static Candidate good(Commit checkpoint) {
        return of(checkpoint, false);
    }

    /// A checkpoint whose record reads, but that cannot be restored.
    public static Candidate damaged(Commit checkpoint) {
        return of(checkpoint, true);
    }

    /// A number of the log whose record cannot be read: neither its step nor its time is known.
    public static Candidate unreadable(long number) {
        return new Candidate(number, 0, Instant.EPOCH, Attributes.empty(), true);
    }

    /// The value of a metric; empty where it has none, or one that compares with nothing.
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
