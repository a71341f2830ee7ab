package dev.cairn.store.log;

import dev.cairn.store.Clock;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/// What a writer asks of the right to write that it has.
public interface Guard {
    /// Asked right before each commit: throws where the run may be another's now.
    ///
    /// @throws dev.cairn.store.CommitConflictException where it is another's
    void check() throws IOException;

    /// Whether it is known already, without a look at the storage, that the run is another's.
    default boolean isLost() {
        return false;
    }

    /// Present where the one before did not give the run back, and may not know yet that it lost it.
    default Optional<TakeOver> takeOver() {
        return Optional.empty();
    }

    /// What to say where a save was cut off before its record, and its number is taken so that it never comes to stand.
    default TakeOver takeOverOfCutOffSave() {
        return new TakeOver(Clock.system().now(), "a save that was cut off", "the next writer");
    }

    /// Whether, where the run has nothing yet, its first record says of the take-over all that must be said: that
    /// number is taken.
    default boolean takesOverByAnyRecord() {
        return false;
    }

    /// Told when the log has the record of the take-over, or a later one of this writer. Until then the run must
    /// not be given back as if nobody else could be writing.
    default void takeOverRecorded() {}

    /// Told while it is open whether a record of this writer stands, and may come to stand late: then the run must
    /// not be given back either, so that who comes next takes that record's number first.
    default void inDoubt(boolean doubt) {}

    /// From whom to whom a run went, for people.
    record TakeOver(Instant time, String from, String by) {}
}
