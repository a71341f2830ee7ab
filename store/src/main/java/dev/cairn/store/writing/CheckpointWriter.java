package dev.cairn.store.writing;

import dev.cairn.store.Attributes;
import dev.cairn.store.CommitConflictException;
import dev.cairn.store.DamagedException;
import dev.cairn.store.StoreFullException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.CommitLog;
import dev.cairn.store.log.Guard;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.LogRecord.FreshStart;
import dev.cairn.store.log.LogRecord.Parent;
import dev.cairn.store.log.LogRecord.Pruned;
import dev.cairn.store.log.Manifest;
import dev.cairn.store.log.RecordAppender;
import dev.cairn.store.log.RecordAppender.Draft;
import dev.cairn.store.log.Twins;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.segment.Contents;
import dev.cairn.store.segment.SegmentName;
import dev.cairn.store.segment.SegmentRef;
import dev.cairn.store.segment.SegmentSource;
import dev.cairn.store.segment.SegmentWriter;
import dev.cairn.store.segment.Staged;
import dev.cairn.store.segment.StateDigest;
import dev.cairn.store.segment.TensorRef;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Commits checkpoints to one run: segment, fsync, then the record. Thread-safe: a merge may run in parallel with
/// saves, and the first one that is ready gets the lower number.
///
/// No record has a twin when it is committed: [#writeTwins] makes up for that.
///
/// A failed commit leaves the run unchanged, and another commit may be tried. After a [CommitConflictException] every
/// later commit fails too, because another writer is active.
///
/// This writer may itself have been taken over, after losing contact for minutes at any point. Then the log lets it
/// commit nothing more, and it removes only files that are its own, or older than it, or permanently obsolete
/// according to the log.
public final class CheckpointWriter {
    /// The space that a commit needs besides the tensors: record, folders, and what a removal needs.
    private static final long MARGIN_BYTES = 32 << 10;

    /// The space of index and record grows with the tensors. This fraction of the tensors is more than enough.
    private static final int MARGIN_SHARE = 32;

    /// The writer name for segments of another store whose names do not contain one.
    private static final String ADOPTED = "copy";

    private final BlobStore blobs;
    private final RecordAppender records;
    private final Twins twins;
    private final List<DamagedException> healed;
    private final long firstNumber;
    private final SecureRandom random = new SecureRandom();
    private final OwnSegments own;
    private final Pruning pruning;

    private CheckpointWriter(CheckpointStore store, Guard right, History history, Twins twins) {
        long nextNumber = history.lastNumber() + 1;
        this.blobs = store.blobs();
        this.twins = twins;
        this.healed = List.copyOf(history.healedRecords().values());
        this.records = new RecordAppender(blobs, store.log(), right, twins, nextNumber);
        this.firstNumber = nextNumber;
        this.own = new OwnSegments(nextNumber);
        this.pruning = new Pruning(store, records, twins, own);
        history.withoutTwin().forEach(twins::add);
    }

    /// Starts writing: finds the next number and removes leftovers, which are only the files that the log says
    /// nothing needs. Rewrites records that were [read from their twins][#healed]. The caller ensures that it is
    /// the only writer of the run. If it is not, the next commit fails.
    ///
    /// If the previous writer did not release the run, or something is staged under the next number, a record takes
    /// that number first. If that writer is still alive, in the middle of a save, its commit then fails whenever it
    /// arrives.
    ///
    /// @param right the right to write to the run; it is checked before each commit
    public static CheckpointWriter open(CheckpointStore store, Guard right) throws IOException {
        History history = Opening.fenced(store, right);
        List<String> temporaries = Opening.temporaries(store.blobs());
        CommitLog.checkLeft(history.lastNumber() + 1);
        // The order matters: a writer that takes over the run after this check changes nothing that was read before
        // it.
        right.check();
        var twins = new Twins(store.log());
        Removal.run(store, history, twins, _ -> true);
        twins.tryHeal(history.healedRecords().keySet());
        for (String temporary : temporaries) {
            store.blobs().deleteTemporary(temporary);
        }
        return new CheckpointWriter(store, right, history, twins);
    }

    /// Starts writing without removing anything: files that nothing needs in a good run may be needed to repair a
    /// damaged one.
    public static CheckpointWriter openAmongLeftovers(CheckpointStore store, Guard right) throws IOException {
        History history = Opening.fenced(store, right);
        right.check();
        return new CheckpointWriter(store, right, history, new Twins(store.log()));
    }

    /// Whether the log had no record when this writer started.
    public boolean isFirst() {
        return firstNumber == 1;
    }

    /// The description of a checkpoint besides its tensors.
    ///
    /// @param parent the parent of the delta; null for a base
    /// @param codec the codec that the user asked for
    public record Description(
            long step, Instant time, @Nullable Parent parent, String codec, Attributes attributes) {
        public Description {
            if (step < 0) {
                throw new IllegalArgumentException("steps must not be negative: step=" + step);
            }
            if (attributes.characters() > Attributes.MOST_CHARACTERS) {
                throw new IllegalArgumentException(
                        "the attributes have %d characters in total, the maximum is %d; store large values in a tensor"
                                .formatted(attributes.characters(), Attributes.MOST_CHARACTERS));
            }
        }
    }

    /// Encodes these tensors and writes them as a segment, durably. Nothing of the run has changed when this
    /// returns: [#commit] makes a checkpoint of it, [#discard] removes it.
    ///
    /// @param writer the name of this writer in the run, see [SegmentName#writer]
    public Staged stage(String writer, Contents contents) throws IOException {
        records.failIfOvertaken();
        checkRoom(contents.sizeBytes());
        // Another record may have this number when this is committed: then the segment is renamed.
        var name = new SegmentName(records.nextNumber(), writer, random.nextLong());
        own.begin(name.file());
        try {
            return SegmentWriter.write(blobs, name, contents);
        } catch (IOException | RuntimeException | Error e) {
            own.end(name.file());
            throw e;
        }
    }

    /// Removes staged segments that will not be committed.
    public void discard(List<Staged> staged) throws IOException {
        List<String> names = staged.stream().map(each -> each.segment().name()).toList();
        names.forEach(own::end);
        deleteAll(names);
    }

    /// Makes a checkpoint of the segments that one or several writers staged. When this returns, the checkpoint
    /// survives a power cut. If it throws, the staged segments are removed.
    public Commit commit(Description description, List<Staged> staged) throws IOException {
        long id = random.nextLong();
        return append(
                staged,
                (number, segments, tensors) -> new Commit(
                        number,
                        HexFormat.of().toHexDigits(id),
                        description.step(),
                        description.time().truncatedTo(ChronoUnit.MILLIS),
                        description.parent(),
                        description.codec(),
                        digest(segments),
                        0,
                        Manifest.fullBytes(tensors),
                        description.attributes(),
                        segments));
    }

    /// Stores these tensors, whose blocks contain their own code tables, as a checkpoint of one segment, with its twin.
    public Commit commit(String writer, Description description, Contents contents) throws IOException {
        Commit committed = commit(description, List.of(stage(writer, contents)));
        twins.tryWrite();
        return committed;
    }

    /// Commits another form of a checkpoint, which replaces it: the same values, id, step and attributes.
    ///
    /// @param parent the parent of the new form; null for a base
    /// @throws DamagedException if the staged values differ from those of the checkpoint
    public Commit replace(Commit checkpoint, @Nullable Parent parent, List<Staged> staged) throws IOException {
        return append(staged, (number, segments, _) -> {
            if (!digest(segments).equals(checkpoint.digest())) {
                throw new DamagedException(
                        RunFiles.record(checkpoint.number()),
                        "values: expected digest=%s, actual digest=%s"
                                .formatted(checkpoint.digest(), digest(segments)));
            }
            return checkpoint.stored(number, parent, checkpoint.position(), segments);
        });
    }

    private static String digest(List<SegmentRef> segments) {
        return StateDigest.compose(segments.stream().map(SegmentRef::digest).toList());
    }

    /// Creates the record of these segments and tensors, in the order in which they were staged.
    private interface Recorder {
        Commit record(long number, List<SegmentRef> segments, List<TensorRef> tensors) throws IOException;
    }

    /// Takes the next number for the record of the staged segments. They are removed if the record is not created.
    private Commit append(List<Staged> staged, Recorder recorder) throws IOException {
        var files = new ArrayList<String>();
        staged.forEach(each -> files.add(each.segment().name()));
        var made = new AtomicReference<@Nullable Commit>();
        try {
            records.append(number -> {
                var segments = new ArrayList<SegmentRef>();
                var tensors = new ArrayList<TensorRef>();
                for (int i = 0; i < staged.size(); i++) {
                    SegmentRef segment = numbered(staged.get(i).segment(), number);
                    files.set(i, segment.name());
                    segments.add(segment);
                    for (TensorRef tensor : staged.get(i).tensors()) {
                        tensors.add(tensor.inSegment(i));
                    }
                }
                Commit checkpoint = recorder.record(number, segments, tensors);
                for (String file : files) {
                    blobs.read(file).close();
                }
                made.set(checkpoint);
                return new Draft.OfCheckpoint(new Manifest(checkpoint, tensors));
            });
            files.forEach(own::commit);
            return Objects.requireNonNull(made.get());
        } catch (RecordAppender.GivenUpException e) {
            deleteAll(files);
            throw e.reason();
        } finally {
            files.forEach(own::end);
            staged.forEach(each -> own.end(each.segment().name()));
        }
    }

    /// Returns the segment under the number of the record that names it: another record may have taken its first
    /// number.
    private SegmentRef numbered(SegmentRef segment, long number) throws IOException {
        SegmentName name = SegmentName.parse(segment.name());
        if (name == null || name.number() == number) {
            return segment;
        }
        SegmentRef renamed = segment.renamed(name.withNumber(number).file());
        own.begin(renamed.name());
        blobs.rename(segment.name(), renamed.name());
        return renamed;
    }

    private void deleteAll(List<String> names) throws IOException {
        for (String name : names) {
            blobs.delete(name);
        }
    }

    /// Copies a checkpoint from another store of this run unchanged: the same id, the same values, the same bytes.
    /// Its parents must already be here.
    ///
    /// @param before the present form of the checkpoint here, which is replaced; null if it is not here
    /// @throws DamagedException if the checkpoint is damaged in the other store
    public Commit adopt(CheckpointStore from, Commit checkpoint, @Nullable Commit before) throws IOException {
        return adopt(from, checkpoint, before == null ? 0 : before.position());
    }

    /// The same for a checkpoint that is not here.
    ///
    /// @param position its place among the checkpoints here, which no other one may have; 0 if it is the newest
    /// @throws DamagedException if the checkpoint is damaged in the other store
    public Commit adopt(CheckpointStore from, Commit checkpoint, long position) throws IOException {
        records.failIfOvertaken();
        checkRoom(checkpoint.storedBytes());
        List<TensorRef> tensors = from.manifest(checkpoint).tensors();
        var staged = new ArrayList<Staged>();
        try {
            for (int i = 0; i < checkpoint.segments().size(); i++) {
                int segment = i;
                staged.add(new Staged(
                        records.nextNumber(),
                        copy(from.segments(), checkpoint.segments().get(i)),
                        tensors.stream()
                                .filter(tensor -> tensor.segment() == segment)
                                .toList()));
            }
        } catch (IOException | RuntimeException | Error e) {
            discardAfter(e, staged);
            throw e;
        }
        return append(
                staged, (number, segments, _) -> checkpoint.stored(number, checkpoint.parent(), position, segments));
    }

    /// Removes what was staged before this failure. If that is not possible now, a later removal does it.
    private void discardAfter(Throwable failure, List<Staged> staged) {
        try {
            discard(staged);
        } catch (IOException notRemoved) {
            failure.addSuppressed(notRemoved);
        }
    }

    private SegmentRef copy(SegmentSource from, SegmentRef there) throws IOException {
        SegmentName name = SegmentName.parse(there.name());
        String writer = name == null ? ADOPTED : name.writer();
        String file = new SegmentName(records.nextNumber(), writer, random.nextLong()).file();
        own.begin(file);
        try (var source = from.open(there);
                BlobStore.BlobWriter target = blobs.write(file)) {
            SegmentRef here = there.copied(file, source.copyTo(target));
            new SegmentSource(blobs).open(here).close();
            return here;
        } catch (IOException | RuntimeException | Error e) {
            own.end(file);
            throw e;
        }
    }

    /// Throws if another writer is known to have taken over. Very cheap, and safe in any thread.
    ///
    /// @throws CommitConflictException if another writer has taken over: this writer must stop
    public void failIfOvertaken() throws IOException {
        records.failIfOvertaken();
    }

    /// Throws if another writer may hold the run now. Reads from the storage.
    ///
    /// @throws CommitConflictException if another writer has taken over: this writer must stop
    public void checkRight() throws IOException {
        records.checkRight();
    }

    /// Restarts the run from scratch: all earlier checkpoints stay stored, but are no longer part of it.
    public void commitFreshStart(Instant time) throws IOException {
        records.appendPlain(number -> new FreshStart(number, time.truncatedTo(ChronoUnit.MILLIS)));
    }

    /// Keeps only these checkpoints of the run and those that they need, and removes the files of the others. Does
    /// nothing if these are all checkpoints.
    ///
    /// @param wanted the numbers of the records to keep
    /// @return the removed checkpoints
    public List<Commit> prune(Set<Long> wanted, Instant time) throws IOException {
        return pruning.prune(wanted, time);
    }

    /// Removes the checkpoints that a retention does not keep.
    ///
    /// @param least the minimum number of checkpoints to remove; fewer are left for later
    public List<Commit> prune(Retention retention, int least, Instant time) throws IOException {
        return pruning.prune(retention, least, time);
    }

    /// Carries out a plan for the present state of the run, which a user has seen.
    public void prune(PrunePlan plan, Instant time) throws IOException {
        pruning.prune(plan, time);
    }

    /// Notes that this file was found damaged. No good checkpoint is removed because checkpoints that need the file
    /// count as newer. Those checkpoints themselves stay as long as good ones would.
    public void foundDamaged(String file) {
        pruning.foundDamaged(file);
    }

    /// Records which checkpoints since a fresh start are left, whatever the others are. Removes nothing.
    ///
    /// @param kept the numbers of the records, ascending, including all that they need
    public void keepOnly(long since, List<Long> kept, Instant time) throws IOException {
        records.appendPlain(number -> new Pruned(number, time.truncatedTo(ChronoUnit.MILLIS), since, kept));
    }

    /// Removes the leftovers of interrupted merges and removals.
    public void removeNeedless() throws IOException {
        pruning.removeNeedless();
    }

    /// Writes the twins of all records that have none: of those that this writer committed, and of those that an
    /// earlier writer left without. Nothing waits for them, and a failure is made up for by the next call.
    public void writeTwins() throws IOException {
        records.failIfOvertaken();
        twins.write();
    }

    /// As [#writeTwins], but a failure is left to the next call.
    public void tryWriteTwins() {
        twins.tryWrite();
    }

    /// Removes the twins of the checkpoints that a plan removes or keeps only as parents. On a disk that takes no
    /// more files, this makes room for the files of a merge and for the record of a removal. The next writer writes
    /// the twins of the records that are left.
    public void giveUpTwins(PrunePlan plan) throws IOException {
        pruning.giveUpTwins(plan);
    }

    /// What was wrong with records when this writer started. They were read from their twins, and rewritten.
    public List<DamagedException> healed() {
        return healed;
    }

    /// Rewrites a record or its twin in place if it is damaged or missing, with the bytes of the other one. Records
    /// that this writer has not committed yet are left alone.
    ///
    /// @return what was damaged; empty if nothing was, or if both are lost
    public Optional<DamagedException> healRecord(long number) throws IOException {
        records.failIfOvertaken();
        return number < records.nextNumber() ? twins.heal(number) : Optional.empty();
    }

    /// Finishes bytes that replace those of a file, if the run still has the file. No file is removed in the meantime,
    /// so nothing that was removed comes back.
    ///
    /// @param anew writes what the file first had
    /// @return whether the run still has the file
    public boolean putInPlace(String file, BlobStore.BlobWriter anew) throws IOException {
        return pruning.putInPlace(file, anew);
    }

    /// The space that a checkpoint of this size may take, including the space needed to write it.
    public static long neededBytes(long tensorBytes) {
        return tensorBytes + tensorBytes / MARGIN_SHARE + MARGIN_BYTES;
    }

    /// Throws if a checkpoint of this size would not fit.
    public void checkRoom(long tensorBytes) throws IOException {
        long needed = neededBytes(tensorBytes);
        long usable = blobs.usableBytes();
        if (usable < needed) {
            throw new StoreFullException(needed, usable);
        }
    }
}
