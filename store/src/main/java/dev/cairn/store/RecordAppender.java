package dev.cairn.store;

import dev.cairn.store.CheckpointWriter.Guard;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.LogRecord.SegmentRef;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/// Appends one writer's records to the log, each under the next number, and finds out what stands where that failed.
/// Safe for several threads; who holds its monitor has no record come in between.
final class RecordAppender {
    private final BlobStore blobs;
    private final CommitLog log;
    private final Guard right;
    private long nextNumber;
    /// What was being appended when that failed, until it is known whether it stands.
    private @Nullable LogRecord unsettled;

    private volatile @Nullable CommitConflictException overtaken;

    RecordAppender(BlobStore blobs, CommitLog log, Guard right, long nextNumber) {
        this.blobs = blobs;
        this.log = log;
        this.right = right;
        this.nextNumber = nextNumber;
    }

    /// Makes the record that has this number.
    interface Numbered<T extends LogRecord> {
        T with(long number) throws IOException;
    }

    /// The record was never made.
    static final class GivenUpException extends IOException {
        private static final long serialVersionUID = 1;

        private final transient IOException reason;

        GivenUpException(IOException reason) {
            super(reason);
            this.reason = reason;
        }

        IOException reason() {
            return reason;
        }
    }

    synchronized long nextNumber() {
        return nextNumber;
    }

    /// Appends the record that is made of the next number.
    ///
    /// @throws GivenUpException where it was never sent
    synchronized <T extends LogRecord> T append(Numbered<T> numbered) throws IOException {
        T entry;
        try {
            failIfOvertaken();
            settle();
            entry = numbered.with(nextNumber);
            right.check();
        } catch (IOException e) {
            throw new GivenUpException(noted(reason(e)));
        }
        try {
            log.append(entry);
            log.checkHighest(entry.number());
            nextNumber++;
        } catch (IOException e) {
            if (!standsAfter(e, entry)) {
                throw noted(e);
            }
        }
        right.takeOverRecorded();
        return entry;
    }

    /// Where a segment is gone that was just written, the writer that took the run over has removed it.
    private IOException reason(IOException e) throws IOException {
        boolean taken = e instanceof NoSuchFileException && log.numbers().contains(nextNumber);
        return taken ? log.conflict(nextNumber) : e;
    }

    private IOException noted(IOException e) {
        if (e instanceof CommitConflictException conflict) {
            overtaken = conflict;
        }
        return e;
    }

    /// Throws where it is known that another writer has taken over; costs next to nothing. For any thread.
    ///
    /// @throws CommitConflictException where one has: this writer must stop
    void failIfOvertaken() throws IOException {
        CommitConflictException conflict = overtaken;
        if (conflict != null) {
            throw conflict.again();
        }
        if (right.isLost()) {
            right.check();
        }
    }

    /// Whether the record stands for good although its creation failed. A folder that was not fsynced does not promise
    /// that, and where another writer is at work, it does not count.
    private boolean standsAfter(IOException failure, LogRecord entry) {
        unsettled = entry;
        right.inDoubt(blobs.isRemote());
        try {
            return settle() && blobs.isRemote() && !(failure instanceof CommitConflictException);
        } catch (IOException secondary) {
            // The first error is the one to report; what is unsettled is looked at again before the next commit.
            return false;
        }
    }

    /// A record may stand although its creation reported an error (a failed fsync of the folder, a lost reply): then
    /// its number is taken, by us, and its segments must stay. Otherwise they go.
    ///
    /// Where the request may still be on its way, only a record in its place, or after it, says that it never will
    /// stand; where there is none, the same record is created again.
    ///
    /// @return whether what was unsettled stands
    synchronized boolean settle() throws IOException {
        LogRecord entry = unsettled;
        if (entry == null) {
            return false;
        }
        boolean stands = stands(entry) || (blobs.isRemote() && createAgain(entry));
        if (stands) {
            nextNumber = entry.number() + 1;
        } else if (entry instanceof Checkpoint checkpoint) {
            for (SegmentRef segment : checkpoint.segments()) {
                blobs.delete(segment.name());
            }
        }
        unsettled = null;
        right.inDoubt(false);
        return stands;
    }

    private boolean stands(LogRecord entry) throws IOException {
        return log.numbers().contains(entry.number()) && isSame(entry, log.read(entry.number()));
    }

    private boolean createAgain(LogRecord entry) throws IOException {
        if (log.numbers().stream().anyMatch(number -> number >= entry.number())) {
            return false;
        }
        right.check();
        if (entry instanceof Checkpoint checkpoint) {
            for (SegmentRef segment : checkpoint.segments()) {
                blobs.read(segment.name()).close();
            }
        }
        try {
            log.append(entry);
        } catch (CommitConflictException taken) {
            return stands(entry);
        }
        log.checkHighest(entry.number());
        return true;
    }

    private static boolean isSame(LogRecord ours, LogRecord found) {
        if (ours instanceof Checkpoint made && found instanceof Checkpoint checkpoint) {
            return made.id().equals(checkpoint.id());
        }
        return ours.equals(found);
    }
}
