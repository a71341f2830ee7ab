package dev.cairn.store.log;

import dev.cairn.store.Clock;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/// The right to write to a run, as a writer sees it.
public interface Guard {
    /// Called right before each commit. Throws if another writer may hold the run now.
    ///
    /// @throws dev.cairn.store.CommitConflictException if another writer holds the run
    void check() throws IOException;

    /// Whether it is already known, without reading from the storage, that another writer holds the run.
    default boolean isLost() {
        return false;
    }

    /// The takeover, present if the previous writer did not release the run and may not yet know that it lost it.
    default Optional<TakeOver> takeOver() {
        return Optional.empty();
    }

    /// The takeover to record if a save was interrupted before its record. It takes the number of that save, so
    /// that its record can never be created.
    default TakeOver takeOverOfCutOffSave() {
        return new TakeOver(Clock.system().now(), "an interrupted save", "the next writer");
    }

    /// Whether the first record of an empty run is enough as a record of the takeover, because it takes the number.
    default boolean takesOverByAnyRecord() {
        return false;
    }

    /// Called when the log has the record of the takeover, or a later record of this writer. Until then the run
    /// must not be released as if no other process could write to it.
    default void takeOverRecorded() {}

    /// Called when it becomes unknown, or known again, whether a record of this writer exists. A record in doubt
    /// may still appear late. While it is in doubt the run must not be released, so that the next writer takes its
    /// number first.
    default void inDoubt(boolean doubt) {}

    /// A change of the run's writer, in words for people.
    record TakeOver(Instant time, String from, String by) {}
}
