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

/// How a writer begins: nobody before it can add to the log afterwards. Whether that one still lives cannot be known,
/// so nothing depends on it.
final class Opening {
    /// How often a writer that is being taken over may get one more commit in.
    private static final int MOST_FENCES = 100;

    private Opening() {}

    /// What the log says once nobody before this writer can add to it, and nothing is staged under its next number.
    static History fenced(CheckpointStore store, Guard right) throws IOException {
        Optional<TakeOver> takeOver = right.takeOver();
        History history = store.history();
        if (store.blobs().isRemote() && !history.staged().isEmpty()) {
            history = store.history(); // A listing that lacks a record makes its segments look staged.
        }
        if (takeOver.isEmpty() && history.staged().isEmpty()) {
            return history;
        }
        if (takeOver.isPresent() && right.takesOverByAnyRecord() && history.isEmpty()) {
            return history; // Nothing in it is removed, so what comes into the run meanwhile stays.
        }
        fence(store, right, takeOver.orElseGet(right::takeOverOfCutOffSave));
        right.takeOverRecorded();
        return store.history();
    }

    /// Takes the number that the writer before would take next. Where that one is alive and faster, the next.
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

    /// What a writer that died while it created a record, a lease or a segment left behind.
    static List<String> temporaries(BlobStore blobs) throws IOException {
        var files = new ArrayList<>(blobs.temporaries(RunFiles.LOG));
        files.addAll(blobs.temporaries(RunFiles.LEASES));
        files.addAll(blobs.temporaries(RunFiles.SEGMENTS));
        return files;
    }
}
