package dev.cairn.store.log;

import dev.cairn.store.CommitConflictException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.segment.SegmentRef;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/// Appends one writer's records to the log, each under the next number, and finds out what stands where that failed.
/// Safe for several threads; who holds its monitor has no record come in between.
public final class RecordAppender {
    private final BlobStore blobs;
    private final CommitLog log;
    private final Guard right;
    private long nextNumber;
    /// What was being appended when that failed, until it is known whether it stands.
    private @Nullable Draft unsettled;

    private volatile @Nullable CommitConflictException overtaken;

    /// Appends from this number on.
    public RecordAppender(BlobStore blobs, CommitLog log, Guard right, long nextNumber) {
        this.blobs = blobs;
        this.log = log;
        this.right = right;
        this.nextNumber = nextNumber;
    }

    /// A record on its way into the log.
    public sealed interface Draft {
        /// What it says.
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

    /// Makes the record that has this number.
    public interface Numbered {
        /// Asked once, when nobody else can take the number.
        Draft with(long number) throws IOException;
    }

    /// The record was never made.
    public static final class GivenUpException extends IOException {
        private static final long serialVersionUID = 1;

        private final transient IOException reason;

        GivenUpException(IOException reason) {
            super(reason);
            this.reason = reason;
        }

        /// Why it was not sent.
        public IOException reason() {
            return reason;
        }
    }

    /// The number that the next record takes.
    public synchronized long nextNumber() {
        return nextNumber;
    }

    /// Appends the record that is made of the next number.
    ///
    /// @throws GivenUpException where it was never sent
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
            nextNumber++;
        } catch (IOException e) {
            if (!standsAfter(e, draft)) {
                throw noted(e);
            }
        }
        right.takeOverRecorded();
    }

    private void create(Draft draft) throws IOException {
        switch (draft) {
            case Draft.OfCheckpoint(Manifest manifest) -> log.append(manifest);
            case Draft.Plain(LogRecord entry) -> log.append(entry);
        }
        log.checkHighest(draft.entry().number());
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
    public void failIfOvertaken() throws IOException {
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
    private boolean standsAfter(IOException failure, Draft draft) {
        unsettled = draft;
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
    public synchronized boolean settle() throws IOException {
        Draft draft = unsettled;
        if (draft == null) {
            return false;
        }
        LogRecord entry = draft.entry();
        boolean stands = stands(entry) || (blobs.isRemote() && createAgain(draft));
        if (stands) {
            nextNumber = entry.number() + 1;
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
