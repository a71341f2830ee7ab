package dev.cairn.store.log;

import dev.cairn.store.CommitConflictException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.segment.SegmentRef;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// Appends the records of one writer to the log, each under the next number. If an append fails, it finds out whether
/// the record exists. Thread-safe. A caller that holds its monitor keeps other records out.
public final class RecordAppender {
    private final BlobStore blobs;
    private final CommitLog log;
    private final Guard right;
    private final Twins twins;
    private long nextNumber;
    /// The record whose append failed, until it is known whether it exists.
    private @Nullable Draft unsettled;

    private volatile @Nullable CommitConflictException overtaken;

    /// Appends records starting at this number.
    ///
    /// @param twins learns of each record that was committed
    public RecordAppender(BlobStore blobs, CommitLog log, Guard right, Twins twins, long nextNumber) {
        this.blobs = blobs;
        this.log = log;
        this.right = right;
        this.twins = twins;
        this.nextNumber = nextNumber;
    }

    /// A record that is being appended to the log.
    public sealed interface Draft {
        /// The record without tensors.
        LogRecord entry();

        /// A checkpoint with its tensors.
        record OfCheckpoint(Manifest manifest) implements Draft {
            @Override
            public LogRecord entry() {
                return manifest.checkpoint();
            }
        }

        /// Any other record.
        record Plain(LogRecord entry) implements Draft {}
    }

    /// Creates the record for a given number.
    public interface Numbered {
        /// Called once, when no other thread can take the number.
        Draft with(long number) throws IOException;
    }

    /// Thrown if the record was never sent to the storage.
    public static final class GivenUpException extends IOException {
        private static final long serialVersionUID = 1;

        private final transient IOException reason;

        GivenUpException(IOException reason) {
            super(reason);
            this.reason = reason;
        }

        /// The reason why it was not sent.
        public IOException reason() {
            return reason;
        }
    }

    /// The number of the next record.
    public synchronized long nextNumber() {
        return nextNumber;
    }

    /// Creates the record for the next number and appends it.
    ///
    /// @throws GivenUpException if the record was never sent to the storage
    public synchronized void append(Numbered numbered) throws IOException {
        Draft draft;
        try {
            failIfOvertaken();
            settle();
            draft = numbered.with(nextNumber);
            right.check();
        } catch (IOException e) {
            throw new GivenUpException(noted(reason(e)));
        }
        try {
            create(draft);
            committed(draft.entry());
        } catch (IOException e) {
            if (!standsAfter(e, draft)) {
                throw noted(e);
            }
        }
        right.takeOverRecorded();
    }

    /// Appends a record that is not a checkpoint.
    public void appendPlain(LongFunction<LogRecord> entry) throws IOException {
        try {
            append(number -> new Draft.Plain(entry.apply(number)));
        } catch (GivenUpException e) {
            throw e.reason();
        }
    }

    private void committed(LogRecord entry) {
        nextNumber = entry.number() + 1;
        twins.add(entry.number());
    }

    private void create(Draft draft) throws IOException {
        switch (draft) {
            case Draft.OfCheckpoint(Manifest manifest) -> log.append(manifest);
            case Draft.Plain(LogRecord entry) -> log.append(entry);
        }
        log.checkHighest(draft.entry().number());
    }

    /// If a segment that was just written no longer exists, the writer that took over the run has removed it.
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

    /// Throws if another writer is known to have taken over. Very cheap, and safe in any thread.
    ///
    /// @throws CommitConflictException if another writer has taken over: this writer must stop
    public void failIfOvertaken() throws IOException {
        CommitConflictException conflict = overtaken;
        if (conflict != null) {
            throw conflict.again();
        }
        if (right.isLost()) {
            right.check();
        }
    }

    /// Throws if another writer may hold the run now. Reads from the storage.
    ///
    /// @throws CommitConflictException if another writer has taken over: this writer must stop
    public synchronized void checkRight() throws IOException {
        failIfOvertaken();
        right.check();
    }

    /// Whether the record exists durably although its creation failed. This cannot be promised if the folder was
    /// not fsynced. If another writer is active, the record does not count.
    private boolean standsAfter(IOException failure, Draft draft) {
        unsettled = draft;
        right.inDoubt(blobs.isRemote());
        try {
            return settle() && blobs.isRemote() && !(failure instanceof CommitConflictException);
        } catch (IOException secondary) {
            // The first error is the one to report. The unsettled record is checked again before the next commit.
            return false;
        }
    }

    /// Finds out whether the unsettled record exists. A record may exist although its creation reported an error (a
    /// failed fsync of the folder, a lost reply). Then this writer holds its number, and its segments must stay.
    /// Otherwise they are removed.
    ///
    /// If the request may still be on its way, only another record at its number or after it proves that the record
    /// will never exist. If there is none, the same record is created again.
    ///
    /// @return whether the unsettled record exists
    public synchronized boolean settle() throws IOException {
        Draft draft = unsettled;
        if (draft == null) {
            return false;
        }
        LogRecord entry = draft.entry();
        boolean stands = stands(entry) || (blobs.isRemote() && createAgain(draft));
        if (stands) {
            committed(entry);
        } else if (entry instanceof Commit checkpoint) {
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

    private boolean createAgain(Draft draft) throws IOException {
        LogRecord entry = draft.entry();
        if (log.numbers().stream().anyMatch(number -> number >= entry.number())) {
            return false;
        }
        right.check();
        if (entry instanceof Commit checkpoint) {
            for (SegmentRef segment : checkpoint.segments()) {
                blobs.read(segment.name()).close();
            }
        }
        try {
            create(draft);
        } catch (CommitConflictException taken) {
            return stands(entry);
        }
        return true;
    }

    private static boolean isSame(LogRecord ours, LogRecord found) {
        if (ours instanceof Commit made && found instanceof Commit checkpoint) {
            return made.id().equals(checkpoint.id());
        }
        return ours.equals(found);
    }
}
