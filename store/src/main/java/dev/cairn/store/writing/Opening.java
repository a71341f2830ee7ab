package dev.cairn.store.writing;

import dev.cairn.store.CommitConflictException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.Guard;
import dev.cairn.store.log.Guard.TakeOver;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.TakenOver;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The start of a writer: afterwards no earlier writer can add to the log. It cannot be known whether an earlier
/// writer is still alive, so nothing depends on it.
final class Opening {
    /// The maximum number of commits that a writer may still make while it is being taken over.
    private static final int MOST_FENCES = 100;

    private Opening() {}

    /// The history when no earlier writer can add to the log, and nothing is staged under the next number.
    static History fenced(CheckpointStore store, Guard right) throws IOException {
        Optional<TakeOver> takeOver = right.takeOver();
        History history = store.history();
        if (store.blobs().isRemote() && !history.staged().isEmpty()) {
            history = store.history(); // If a listing lacks a record, its segments look staged.
        }
        if (takeOver.isEmpty() && history.staged().isEmpty()) {
            return history;
        }
        if (takeOver.isPresent() && right.takesOverByAnyRecord() && history.isEmpty()) {
            return history; // Nothing in it is removed, so files that are added in the meantime stay.
        }
        fence(store, right, takeOver.orElseGet(right::takeOverOfCutOffSave));
        right.takeOverRecorded();
        return store.history();
    }

    /// Takes the number that the previous writer would take next. If that writer is alive and faster, takes the one
    /// after.
    private static void fence(CheckpointStore store, Guard right, TakeOver takeOver) throws IOException {
        for (int attempt = 1; ; attempt++) {
            long next = store.history().lastNumber() + 1;
            right.check();
            try {
                store.log()
                        .append(new TakenOver(
                                next, takeOver.time().truncatedTo(ChronoUnit.MILLIS), takeOver.from(), takeOver.by()));
                return;
            } catch (CommitConflictException oneMoreCommit) {
                if (attempt == MOST_FENCES) {
                    throw oneMoreCommit;
                }
            }
        }
    }

    /// The temporary files of a writer that died while it created a record, a lease, a segment or
    /// [RunFiles#SCRUB].
    static List<String> temporaries(BlobStore blobs) throws IOException {
        var files = new ArrayList<>(blobs.temporaries(RunFiles.LOG));
        files.addAll(blobs.temporaries(RunFiles.LEASES));
        files.addAll(blobs.temporaries(RunFiles.SEGMENTS));
        files.addAll(blobs.temporaries(""));
        return files;
    }
}
