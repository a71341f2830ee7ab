package dev.cairn.store.scrub;

import dev.cairn.store.DamagedException;
import dev.cairn.store.NewerFormatException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.blob.SecondLook;
import dev.cairn.store.log.CommitLog;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.segment.SegmentRef;
import dev.cairn.store.writing.CheckpointWriter;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Checks files of a run, and heals them if it can. What seems damaged is read a second time. A file that cannot be
/// read, or that was removed, is not damaged. For the writer of the run.
public final class FileCheck {
    private final CheckpointStore store;
    private final BlobStore blobs;
    private final CheckpointWriter writer;
    private final Pace pace;

    /// Checks files of this run, which this writer writes.
    public FileCheck(CheckpointStore store, CheckpointWriter writer, Pace pace) {
        this.store = store;
        this.blobs = store.blobs();
        this.writer = writer;
        this.pace = pace;
    }

    /// Writes what was noted, if it has changed. A run that another writer has is left alone.
    public void write(ScrubNotes notes) throws IOException {
        if (notes.haveChanged()) {
            writer.checkRight();
            notes.write(blobs);
        }
    }

    /// Checks the file of a segment.
    public Verdict segment(SegmentRef segment) throws IOException {
        try {
            return SecondLook.at(() -> check(segment));
        } catch (DamagedException damage) {
            return isNeeded(segment) ? new Verdict.Lost(damage) : new Verdict.Gone();
        }
    }

    private Verdict check(SegmentRef segment) throws IOException {
        Optional<SegmentRewrite> found = SegmentRewrite.find(store.segments(), segment, pace);
        if (found.isPresent()) {
            found = SegmentRewrite.find(store.segments(), segment, pace);
        }
        Verdict verdict = found.isPresent() ? rewrite(segment, found.get()) : new Verdict.Good();
        if (!(verdict instanceof Verdict.Gone)) {
            // The chunks fit each other. The file must also be the one that the record names.
            store.segments().open(segment).close();
        }
        return verdict;
    }

    private Verdict rewrite(SegmentRef segment, SegmentRewrite rewrite) throws IOException {
        writer.checkRoom(segment.sizeBytes() + roomForASave());
        if (!rewrite.run(writer)) {
            return new Verdict.Gone();
        }
        if (SegmentRewrite.find(store.segments(), segment, pace).isPresent()) {
            throw new IOException("%s was rewritten and is damaged again; check the disk".formatted(segment.name()));
        }
        return new Verdict.Rewritten(rewrite.damage(), rewrite.source());
    }

    /// A save that starts while the file is rewritten must not fail for lack of space.
    private long roomForASave() throws IOException {
        return store.history().currentCheckpoints().stream()
                .mapToLong(Commit::fullBytes)
                .max()
                .orElse(0);
    }

    private boolean isNeeded(SegmentRef segment) throws IOException {
        return store.history().all().stream()
                .anyMatch(entry -> entry instanceof Entry.Intact(Commit checkpoint)
                        && checkpoint.segmentNames().contains(segment.name()));
    }

    /// Checks all records of the log.
    ///
    /// @return what is not good
    public List<Verdict> records() throws IOException {
        var verdicts = new ArrayList<Verdict>();
        for (long number : store.log().numbers()) {
            Verdict verdict = record(number);
            if (verdict instanceof Verdict.Lost || verdict instanceof Verdict.Rewritten) {
                verdicts.add(verdict);
            }
        }
        return verdicts;
    }

    private Verdict record(long number) throws IOException {
        CommitLog log = store.log();
        try {
            if (!hasPlace(RunFiles.record(number), number)) {
                throw new DamagedException(RunFiles.record(number), "file is missing");
            }
            hasPlace(RunFiles.twin(number), number); // it may follow later
            return new Verdict.Good();
        } catch (DamagedException damage) {
            Optional<DamagedException> healed = writer.healRecord(number);
            if (healed.isPresent()) {
                boolean isTwin = healed.get().file().equals(RunFiles.twin(number));
                return new Verdict.Rewritten(healed.get(), isTwin ? "its record" : "its twin");
            }
            return verdict(log, number);
        }
    }

    /// Checks one place of a record.
    ///
    /// @return whether it is there
    /// @throws DamagedException if it is damaged
    private boolean hasPlace(String file, long number) throws IOException {
        try {
            store.log().checkUncached(file, number, pace::before);
            return true;
        } catch (NoSuchFileException missing) {
            return false;
        } catch (NewerFormatException intact) {
            return true;
        }
    }

    /// The verdict on a record that was damaged and was not rewritten.
    private Verdict verdict(CommitLog log, long number) throws IOException {
        try {
            log.read(number);
            return new Verdict.Good();
        } catch (DamagedException damage) {
            List<String> there = blobs.list(RunFiles.LOG);
            return there.contains(RunFiles.record(number)) || there.contains(RunFiles.twin(number))
                    ? new Verdict.Lost(damage)
                    : new Verdict.Gone();
        }
    }
}
