package dev.cairn.store.writing;

import dev.cairn.store.Attributes;
import dev.cairn.store.CommitConflictException;
import dev.cairn.store.DamagedException;
import dev.cairn.store.StoreFullException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.check.Soundness;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.log.CommitLog;
import dev.cairn.store.log.Guard;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.LogRecord.FreshStart;
import dev.cairn.store.log.LogRecord.Parent;
import dev.cairn.store.log.LogRecord.Pruned;
import dev.cairn.store.log.Manifest;
import dev.cairn.store.log.RecordAppender;
import dev.cairn.store.log.RecordAppender.Draft;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.segment.Contents;
import dev.cairn.store.segment.SegmentName;
import dev.cairn.store.segment.SegmentReader;
import dev.cairn.store.segment.SegmentRef;
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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// Commits checkpoints to one run: segment, fsync, then the record. Safe for several threads: a merge may go on
/// beside saves; who is ready first gets the lower number.
///
/// A failed commit leaves the run as it was, and the next may be tried; after a [CommitConflictException] every
/// later commit fails too, because another writer is at work.
///
/// It may be that other writer's past, cut off for minutes in the middle of anything: the log lets it commit no
/// more, and what it removes is only ever its own, or of before its time, or what the log gave up for good.
public final class CheckpointWriter {
    /// Room that a commit needs besides the tensors, however few: record, folders, and what a removal takes.
    private static final long MARGIN_BYTES = 32 << 10;

    /// What index and record take besides grows with the tensors; so much of them is more than enough.
    private static final int MARGIN_SHARE = 32;

    /// Who wrote segments of another store whose names do not say it.
    private static final String ADOPTED = "copy";

    private final CheckpointStore store;
    private final BlobStore blobs;
    private final RecordAppender records;
    private final long firstNumber;
    private final SecureRandom random = new SecureRandom();
    private final Set<String> inFlight = ConcurrentHashMap.newKeySet();
    /// Segments of saves and merges that failed, where removing them may have failed too.
    private final Set<String> leftBehind = ConcurrentHashMap.newKeySet();

    /// Files of this run that were found damaged.
    private final Set<String> damaged = ConcurrentHashMap.newKeySet();

    /// At what a start passed over: once, however often it is pruned.
    private final Soundness secondLook;

    private CheckpointWriter(CheckpointStore store, Guard right, long nextNumber) {
        this.store = store;
        this.blobs = store.blobs();
        this.records = new RecordAppender(blobs, store.log(), right, nextNumber);
        this.firstNumber = nextNumber;
        this.secondLook = StoreVerifier.soundness(store, Depth.CHECKSUMS);
    }

    /// Starts writing: finds the next number and removes leftovers, which are what the log says that nothing needs,
    /// and nothing else. The caller makes sure that it is the run's only writer; where it is not after all, the
    /// next commit fails.
    ///
    /// Where the one before did not give the run back, or something is staged under the next number, a record takes
    /// that number first: should its writer be alive, cut off in the middle of a save, its commit fails, whenever
    /// it comes.
    ///
    /// @param right to write there; its check is asked before each commit
    public static CheckpointWriter open(CheckpointStore store, Guard right) throws IOException {
        History history = Opening.fenced(store, right);
        List<String> temporaries = Opening.temporaries(store.blobs());
        CommitLog.checkLeft(history.lastNumber() + 1);
        // In this order: who takes the run from us after this check changes nothing of what was seen before it.
        right.check();
        Removal.run(store, history, _ -> true);
        for (String temporary : temporaries) {
            store.blobs().deleteTemporary(temporary);
        }
        return new CheckpointWriter(store, right, history.lastNumber() + 1);
    }

    /// The same, but removes nothing: what nothing needs in a good run may be what a damaged one is repaired with.
    public static CheckpointWriter openAmongLeftovers(CheckpointStore store, Guard right) throws IOException {
        History history = Opening.fenced(store, right);
        right.check();
        return new CheckpointWriter(store, right, history.lastNumber() + 1);
    }

    /// Whether the log had no record when this writer began.
    public boolean isFirst() {
        return firstNumber == 1;
    }

    /// What a checkpoint says of itself besides its tensors.
    ///
    /// @param parent what it is a delta of; null for a base
    /// @param codec what the user asked for
    public record Description(
            long step, Instant time, @Nullable Parent parent, String codec, Attributes attributes) {
        public Description {
            if (step < 0) {
                throw new IllegalArgumentException("steps are counted from 0 on: step=" + step);
            }
            if (attributes.characters() > Attributes.MOST_CHARACTERS) {
                throw new IllegalArgumentException(
                        "the attributes have %d characters in all, of at most %d; keep large values in a tensor"
                                .formatted(attributes.characters(), Attributes.MOST_CHARACTERS));
            }
        }
    }

    /// Encodes these tensors and writes them as a segment, durably. Nothing of the run has changed when this
    /// returns: a [#commit] makes a checkpoint of it, a [#discard] gives it up.
    ///
    /// @param writer who this is among the run's writers, see [SegmentName#writer]
    public Staged stage(String writer, Contents contents) throws IOException {
        records.failIfOvertaken();
        checkRoom(contents.sizeBytes());
        // The number may be another's when this is committed: then the segment is renamed.
        var name = new SegmentName(records.nextNumber(), writer, random.nextLong());
        inFlight.add(name.file());
        leftBehind.add(name.file());
        try {
            return SegmentWriter.write(blobs, name, contents);
        } catch (IOException | RuntimeException | Error e) {
            inFlight.remove(name.file());
            throw e;
        }
    }

    /// Removes what was staged and will not be committed.
    public void discard(List<Staged> staged) throws IOException {
        List<String> names = staged.stream().map(each -> each.segment().name()).toList();
        names.forEach(inFlight::remove);
        deleteAll(names);
    }

    /// Makes a checkpoint of what was staged, by one writer or by several. When this returns, it survives a power
    /// cut; where it throws, what was staged is gone.
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

    /// Stores these tensors, whose blocks carry their code tables themselves, as a checkpoint of one segment.
    public Commit commit(String writer, Description description, Contents contents) throws IOException {
        return commit(description, List.of(stage(writer, contents)));
    }

    /// Commits another form of a checkpoint, which takes its place: the same values, id, step and attributes.
    ///
    /// @param parent what the new form is a delta of; null for a base
    /// @throws DamagedException where what was staged has other values than the checkpoint
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

    /// Makes the record of these segments and tensors, in the order of what was staged.
    private interface Recorder {
        Commit record(long number, List<SegmentRef> segments, List<TensorRef> tensors) throws IOException;
    }

    /// Takes the next number for the record of what was staged, which is removed where the record does not come to
    /// stand.
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
            files.forEach(leftBehind::remove);
            return Objects.requireNonNull(made.get());
        } catch (RecordAppender.GivenUpException e) {
            deleteAll(files);
            throw e.reason();
        } finally {
            files.forEach(inFlight::remove);
            staged.forEach(each -> inFlight.remove(each.segment().name()));
        }
    }

    /// The segment under the number of the record that names it: another record may have taken the one before.
    private SegmentRef numbered(SegmentRef segment, long number) throws IOException {
        SegmentName name = SegmentName.parse(segment.name());
        if (name == null || name.number() == number) {
            return segment;
        }
        SegmentRef renamed = segment.renamed(name.withNumber(number).file());
        inFlight.add(renamed.name());
        leftBehind.add(renamed.name());
        blobs.rename(segment.name(), renamed.name());
        return renamed;
    }

    private void deleteAll(List<String> names) throws IOException {
        for (String name : names) {
            blobs.delete(name);
        }
    }

    /// Stores a checkpoint of another store of this run as it is there: the same id, the same values, the same
    /// bytes. Its parents must be here already.
    ///
    /// @param before the form that it has here so far, whose place it takes; null where it is not here
    /// @throws DamagedException where it is damaged there
    public Commit adopt(CheckpointStore from, Commit checkpoint, @Nullable Commit before) throws IOException {
        records.failIfOvertaken();
        checkRoom(checkpoint.storedBytes());
        List<TensorRef> tensors = from.manifest(checkpoint).tensors();
        var staged = new ArrayList<Staged>();
        try {
            for (int i = 0; i < checkpoint.segments().size(); i++) {
                int position = i;
                staged.add(new Staged(
                        records.nextNumber(),
                        copy(from.blobs(), checkpoint.segments().get(i)),
                        tensors.stream()
                                .filter(tensor -> tensor.segment() == position)
                                .toList()));
            }
        } catch (IOException | RuntimeException | Error e) {
            discardAfter(e, staged);
            throw e;
        }
        long replaced = before == null ? 0 : before.position();
        return append(
                staged, (number, segments, _) -> checkpoint.stored(number, checkpoint.parent(), replaced, segments));
    }

    /// What was staged before this failure is not committed any more. Where it cannot be removed now, a later removal
    /// does it.
    private void discardAfter(Throwable failure, List<Staged> staged) {
        try {
            discard(staged);
        } catch (IOException notRemoved) {
            failure.addSuppressed(notRemoved);
        }
    }

    private SegmentRef copy(BlobStore from, SegmentRef there) throws IOException {
        SegmentName name = SegmentName.parse(there.name());
        String writer = name == null ? ADOPTED : name.writer();
        SegmentRef here = there.renamed(new SegmentName(records.nextNumber(), writer, random.nextLong()).file());
        inFlight.add(here.name());
        leftBehind.add(here.name());
        try (var source = SegmentReader.open(from, there);
                BlobStore.BlobWriter target = blobs.write(here.name())) {
            source.copyTo(target);
            SegmentReader.open(blobs, here).close();
            return here;
        } catch (IOException | RuntimeException | Error e) {
            inFlight.remove(here.name());
            throw e;
        }
    }

    /// Throws where it is known that another writer has taken over; costs next to nothing. For any thread.
    ///
    /// @throws CommitConflictException where one has: this writer must stop
    public void failIfOvertaken() throws IOException {
        records.failIfOvertaken();
    }

    /// Begins the run anew: all checkpoints so far stay where they are, but are no longer part of it.
    public void commitFreshStart(Instant time) throws IOException {
        appendPlain(number -> new FreshStart(number, time.truncatedTo(ChronoUnit.MILLIS)));
    }

    private void appendPlain(LongFunction<LogRecord> entry) throws IOException {
        try {
            records.append(number -> new Draft.Plain(entry.apply(number)));
        } catch (RecordAppender.GivenUpException e) {
            throw e.reason();
        }
    }

    /// Leaves of the run's checkpoints only these, and what they need, and removes the files of the others. Nothing
    /// happens where that is all of them.
    ///
    /// @param wanted numbers of records
    /// @return what was removed
    public List<Commit> prune(Set<Long> wanted, Instant time) throws IOException {
        synchronized (records) {
            records.settle();
            return carryOut(PrunePlan.of(store.history(), wanted, StoreVerifier.soundness(store, Depth.FAST)), time);
        }
    }

    /// The same by a retention.
    ///
    /// @param least how many must be there to be removed; fewer are left for later
    public List<Commit> prune(Retention retention, int least, Instant time) throws IOException {
        synchronized (records) {
            records.settle();
            PrunePlan plan = PrunePlan.of(
                    store.history(),
                    retention,
                    time,
                    StoreVerifier.soundness(store, Depth.FAST),
                    this::isDamaged,
                    secondLook);
            return plan.removed().size() < least ? List.of() : carryOut(plan, time);
        }
    }

    /// The same by a plan, made of the run as it is, that somebody has seen.
    public void prune(PrunePlan plan, Instant time) throws IOException {
        synchronized (records) {
            carryOut(plan, time);
        }
    }

    /// Tells that somebody found this file damaged: no good checkpoint is given up because those that need it count
    /// as newer. They themselves stay as long as if they were good.
    public void foundDamaged(String file) {
        damaged.add(file);
    }

    private boolean isDamaged(Commit checkpoint) {
        return !damaged.isEmpty() && checkpoint.files().stream().anyMatch(damaged::contains);
    }

    /// What nothing needs goes first: on a full disk that makes the room that a record takes.
    private List<Commit> carryOut(PrunePlan plan, Instant time) throws IOException {
        removeNeedless();
        if (plan.removed().isEmpty()) {
            return List.of();
        }
        appendPlain(number -> new Pruned(number, time.truncatedTo(ChronoUnit.MILLIS), plan.since(), plan.kept()));
        removeNeedless();
        return plan.removed();
    }

    /// Says which of the checkpoints since a fresh start are left, whatever the others are, and removes nothing.
    ///
    /// @param kept numbers of records, ascending, with all that they need
    public void keepOnly(long since, List<Long> kept, Instant time) throws IOException {
        appendPlain(number -> new Pruned(number, time.truncatedTo(ChronoUnit.MILLIS), since, kept));
    }

    /// Removes what a merge or a removal that was cut off left.
    public void removeNeedless() throws IOException {
        synchronized (records) {
            records.settle(); // A record that comes to stand late needs its segments.
            Removal.run(store, store.history(), this::mayRemove);
            leftBehind.retainAll(inFlight);
        }
    }

    /// Never a segment that was begun after this writer was cut off: it may be the next one's, in the middle of a
    /// save.
    private boolean mayRemove(String segment) {
        return !inFlight.contains(segment)
                && (leftBehind.contains(segment) || SegmentName.numberOf(segment) < firstNumber);
    }

    /// The room that a checkpoint of this size may take, and needs to be written.
    public static long neededBytes(long tensorBytes) {
        return tensorBytes + tensorBytes / MARGIN_SHARE + MARGIN_BYTES;
    }

    /// Throws where a checkpoint of this size would not fit.
    public void checkRoom(long tensorBytes) throws IOException {
        long needed = neededBytes(tensorBytes);
        long usable = blobs.usableBytes();
        if (usable < needed) {
            throw new StoreFullException(needed, usable);
        }
    }
}
