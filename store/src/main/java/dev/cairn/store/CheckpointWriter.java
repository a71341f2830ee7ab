package dev.cairn.store;

import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.LogRecord.FreshStart;
import dev.cairn.store.LogRecord.Parent;
import dev.cairn.store.LogRecord.Pruned;
import dev.cairn.store.LogRecord.SegmentRef;
import dev.cairn.store.SegmentWriter.Written;
import dev.cairn.store.StoreVerifier.Depth;
import dev.cairn.store.retention.Retention;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Commits checkpoints to one run: segment, fsync, then the record. Safe for several threads: a merge may go on
/// beside saves; who is ready first gets the lower number.
///
/// A failed commit leaves the run as it was, and the next may be tried; after a [CommitConflictException] every
/// later commit fails too, because another writer is at work.
///
/// It may be that other writer's past, cut off for minutes in the middle of anything: the log lets it commit no more,
/// and what it removes is only ever its own, or of before its time, or what the log gave up for good.
public final class CheckpointWriter {
    /// Room that a commit needs besides the tensors, however few: record, folders, and what a removal takes.
    private static final long MARGIN_BYTES = 32 << 10;

    /// What index and record take besides grows with the tensors; so much of them is more than enough.
    private static final int MARGIN_SHARE = 32;

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
    private final StoreVerifier.Soundness secondLook;

    CheckpointWriter(CheckpointStore store, BlobStore blobs, CommitLog log, Guard right, long nextNumber) {
        this.store = store;
        this.blobs = blobs;
        this.records = new RecordAppender(blobs, log, right, nextNumber);
        this.firstNumber = nextNumber;
        this.secondLook = StoreVerifier.soundness(store, Depth.CHECKSUMS);
    }

    /// Whether the log had no record when this writer began.
    public boolean isFirst() {
        return firstNumber == 1;
    }

    /// What a writer asks of the right to write that it has.
    public interface Guard {
        /// Asked right before each commit: throws where the run may be another's now.
        ///
        /// @throws CommitConflictException where it is another's
        void check() throws IOException;

        /// Whether it is known already, without a look at the storage, that the run is another's.
        default boolean isLost() {
            return false;
        }

        /// Present where the one before did not give the run back, and may not know yet that it lost it.
        default Optional<TakeOver> takeOver() {
            return Optional.empty();
        }

        /// Whether, where the run has nothing yet, its first record says of the take-over all that must be said: that
        /// number is taken.
        default boolean takesOverByAnyRecord() {
            return false;
        }

        /// Told when the log has the record of the take-over, or a later one of this writer. Until then the run must
        /// not be given back as if nobody
        /// else could be writing.
        default void takeOverRecorded() {}

        /// Told while it is open whether a record of this writer stands, and may come to stand late: then the run must
        /// not be given back either, so that who comes next takes that record's number first.
        default void inDoubt(boolean doubt) {}
    }

    /// From whom to whom a run went, for people.
    public record TakeOver(Instant time, String from, String by) {}

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

    /// What is known only when all tensors are encoded.
    public interface Findings {
        /// Attributes to add to those of the description; throws to give the checkpoint up.
        Attributes get() throws IOException;
    }

    /// Stores these tensors, whose blocks carry their code tables themselves, as a checkpoint.
    public Checkpoint commit(Description description, List<? extends TensorSource> tensors) throws IOException {
        return commit(description, new Contents(tensors), Attributes::empty);
    }

    /// Stores a checkpoint. When this returns, it survives a power cut.
    ///
    /// @param findings attributes that are known only when all is encoded
    public Checkpoint commit(Description description, Contents contents, Findings findings) throws IOException {
        long id = random.nextLong();
        return write(
                id,
                "",
                contents,
                (number, written) -> new Checkpoint(
                        number,
                        HexFormat.of().toHexDigits(id),
                        description.step(),
                        description.time().truncatedTo(ChronoUnit.MILLIS),
                        description.parent(),
                        description.codec(),
                        written.digest(),
                        0,
                        description.attributes().with(findings.get()),
                        List.of(written.segment()),
                        written.tensors()));
    }

    /// Stores another form of a checkpoint, which takes its place: the same values, id, step and attributes.
    ///
    /// @param parent what the new form is a delta of; null for a base
    /// @throws DamagedException where the contents have other values than the checkpoint
    public Checkpoint replace(Checkpoint checkpoint, @Nullable Parent parent, Contents contents) throws IOException {
        String form = "-" + HexFormat.of().toHexDigits(random.nextInt());
        return write(parseId(checkpoint), form, contents, (number, written) -> {
            // Before version 3 records had none.
            if (!checkpoint.digest().isEmpty() && !written.digest().equals(checkpoint.digest())) {
                throw new DamagedException(
                        CommitLog.name(checkpoint.number()),
                        "values: expected digest=%s, actual digest=%s"
                                .formatted(checkpoint.digest(), written.digest()));
            }
            return new Checkpoint(
                    number,
                    checkpoint.id(),
                    checkpoint.step(),
                    checkpoint.time(),
                    parent,
                    checkpoint.codec(),
                    checkpoint.digest(),
                    checkpoint.position(),
                    checkpoint.attributes(),
                    List.of(written.segment()),
                    written.tensors());
        });
    }

    private interface Recorder {
        Checkpoint record(long number, Written written) throws IOException;
    }

    /// @param form drawn at random where the id is not: no two writers ever have a segment of one name
    private Checkpoint write(long id, String form, Contents contents, Recorder recorder) throws IOException {
        records.failIfOvertaken();
        checkRoom(contents.sizeBytes());
        // The number may be another's when this one is committed: in the name it only says since when there is a file.
        String name = SegmentName.of(records.nextNumber(), id, form);
        inFlight.add(name);
        leftBehind.add(name);
        try {
            Written written = SegmentWriter.write(blobs, name, id, contents);
            Checkpoint checkpoint = append(List.of(name), number -> recorder.record(number, written));
            leftBehind.remove(name);
            return checkpoint;
        } finally {
            inFlight.remove(name);
        }
    }

    /// Stores a checkpoint of another store of this run as it is there: the same id, the same values, the same bytes.
    /// Its parents must be here already.
    ///
    /// @param before the form that it has here so far, whose place it takes; null where it is not here
    /// @throws DamagedException where it is damaged there
    public Checkpoint adopt(CheckpointStore from, Checkpoint checkpoint, @Nullable Checkpoint before)
            throws IOException {
        records.failIfOvertaken();
        checkRoom(checkpoint.storedBytes());
        long id = parseId(checkpoint);
        var segments = new ArrayList<SegmentRef>();
        try {
            for (SegmentRef segment : checkpoint.segments()) {
                String name = CheckpointStore.SEGMENTS + CommitLog.digits(records.nextNumber()) + "-" + checkpoint.id()
                        + "-" + HexFormat.of().toHexDigits(random.nextInt()) + ".seg";
                inFlight.add(name);
                leftBehind.add(name);
                segments.add(new SegmentRef(name, segment.sizeBytes(), segment.indexCrc()));
                copy(from.blobs(), segment, segments.getLast(), id);
            }
            List<String> names = segments.stream().map(SegmentRef::name).toList();
            long replaced = before == null ? 0 : before.position();
            Checkpoint adopted = append(names, number -> checkpoint.stored(number, replaced, segments));
            names.forEach(leftBehind::remove);
            return adopted;
        } finally {
            segments.forEach(segment -> inFlight.remove(segment.name()));
        }
    }

    private void copy(BlobStore from, SegmentRef there, SegmentRef here, long id) throws IOException {
        try (var source = SegmentReader.open(from, there, id);
                BlobStore.BlobWriter target = blobs.write(here.name())) {
            source.copyTo(target);
        }
        SegmentReader.open(blobs, here, id).close();
    }

    /// Takes the next number for the record of these segments, which are removed where the record does not come to
    /// stand.
    private Checkpoint append(List<String> segmentNames, RecordAppender.Numbered<Checkpoint> entry) throws IOException {
        try {
            return records.append(number -> {
                Checkpoint checkpoint = entry.with(number);
                for (String segmentName : segmentNames) {
                    blobs.read(segmentName).close();
                }
                return checkpoint;
            });
        } catch (RecordAppender.GivenUpException e) {
            for (String segmentName : segmentNames) {
                blobs.delete(segmentName);
            }
            throw e.reason();
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

    private void appendPlain(RecordAppender.Numbered<LogRecord> entry) throws IOException {
        try {
            records.append(entry);
        } catch (RecordAppender.GivenUpException e) {
            throw e.reason();
        }
    }

    /// Leaves of the run's checkpoints only these, and what they need, and removes the files of the others. Nothing
    /// happens where that is all of them.
    ///
    /// @param wanted numbers of records
    /// @return what was removed
    public List<Checkpoint> prune(Set<Long> wanted, Instant time) throws IOException {
        synchronized (records) {
            records.settle();
            return carryOut(PrunePlan.of(store.history(), wanted, StoreVerifier.soundness(store, Depth.FAST)), time);
        }
    }

    /// The same by a retention.
    ///
    /// @param least how many must be there to be removed; fewer are left for later
    public List<Checkpoint> prune(Retention retention, int least, Instant time) throws IOException {
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

    /// Tells that somebody found this file damaged: no good checkpoint is given up because those that need it count as
    /// newer. They themselves stay as long as if they were good.
    public void foundDamaged(String file) {
        damaged.add(file);
    }

    private boolean isDamaged(Checkpoint checkpoint) {
        return !damaged.isEmpty() && CheckpointStore.files(checkpoint).stream().anyMatch(damaged::contains);
    }

    /// What nothing needs goes first: on a full disk that makes the room that a record takes.
    private List<Checkpoint> carryOut(PrunePlan plan, Instant time) throws IOException {
        removeNeedless();
        if (plan.removed().isEmpty()) {
            return List.of();
        }
        appendPlain(number ->
                new Pruned(number, time.truncatedTo(ChronoUnit.MILLIS), OptionalLong.of(plan.since()), plan.kept()));
        removeNeedless();
        return plan.removed();
    }

    /// Says which of the checkpoints since a fresh start are left, whatever the others are, and removes nothing.
    ///
    /// @param kept numbers of records, ascending, with all that they need
    void keepOnly(long since, List<Long> kept, Instant time) throws IOException {
        appendPlain(number -> new Pruned(number, time.truncatedTo(ChronoUnit.MILLIS), OptionalLong.of(since), kept));
    }

    /// Removes what a merge or a removal that was cut off left.
    public void removeNeedless() throws IOException {
        synchronized (records) {
            records.settle(); // A record that comes to stand late needs its segments.
            store.removeNeedless(store.history(), this::mayRemove);
            leftBehind.retainAll(inFlight);
        }
    }

    /// Never a segment that was begun after this writer was cut off: it may be the next one's, in the middle of a
    /// save.
    private boolean mayRemove(String segment) {
        return !inFlight.contains(segment)
                && (leftBehind.contains(segment) || CheckpointStore.segmentNumber(segment) < firstNumber);
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

    static long parseId(Checkpoint checkpoint) throws DamagedException {
        try {
            return HexFormat.fromHexDigitsToLong(checkpoint.id());
        } catch (IllegalArgumentException notHexadecimal) {
            throw new DamagedException(CommitLog.name(checkpoint.number()), "id is not a number");
        }
    }
}
