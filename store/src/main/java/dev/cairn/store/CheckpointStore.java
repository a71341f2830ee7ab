package dev.cairn.store;

import dev.cairn.store.CheckpointWriter.TakeOver;
import dev.cairn.store.CommitLog.Detail;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.LogRecord.SegmentRef;
import dev.cairn.store.LogRecord.TakenOver;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// The checkpoints of one run. Reading needs no lock and changes nothing; writing belongs to one
/// [CheckpointWriter].
public final class CheckpointStore {
    static final String SEGMENTS = SegmentName.FOLDER;
    /// How often a writer that is being taken over may get one more commit in.
    private static final int MOST_FENCES = 100;

    /// How often a log that changes while it is read is read again.
    private static final int MOST_ATTEMPTS = 10;

    private static final Pattern WELCOME = Pattern.compile(".*\\.(log|jsonl|csv|lock)|(.*/)?events[^/]*");

    private final BlobStore blobs;
    private final CommitLog log;

    /// The run in this storage, which may be empty still.
    public CheckpointStore(BlobStore blobs) {
        this.blobs = blobs;
        this.log = new CommitLog(blobs);
    }

    /// One number of the log: a checkpoint, or why it cannot be read.
    public sealed interface Entry {
        /// The number of its record.
        long number();

        /// Where it stands among the others.
        long position();

        /// A checkpoint whose record reads; its segments were not looked at.
        record Intact(Checkpoint checkpoint) implements Entry {
            @Override
            public long number() {
                return checkpoint.number();
            }

            @Override
            public long position() {
                return checkpoint.position();
            }
        }

        /// A number whose record does not read, and why.
        record Unreadable(long number, StoreException reason) implements Entry {
            @Override
            public long position() {
                return number;
            }
        }

        /// The record's file, relative to the run.
        default String file() {
            return CommitLog.name(number());
        }
    }

    /// What the log says now. A record that its writer removed while the log was read is not taken for a lost one.
    public History history() throws IOException {
        return history(Detail.WHOLE);
    }

    /// The same, several times faster, for who lists checkpoints and does not read them: their tensors are taken from
    /// the records when they are first asked for. Where they then make no sense, an `UncheckedIOException` tells.
    public History outline() throws IOException {
        return history(Detail.OUTLINE);
    }

    /// Whether the log has other records than when it said this; costs a listing.
    boolean hasChanged(History since) throws IOException {
        return since.hasChanged(log);
    }

    private History history(Detail detail) throws IOException {
        History history = History.read(log, segmentsByNumber(), detail);
        for (int attempt = 1; attempt < MOST_ATTEMPTS && history.isOutdated(log); attempt++) {
            history = History.read(log, segmentsByNumber(), detail);
        }
        return history;
    }

    /// A checkpoint of an [#outline], whose tensors are known now.
    ///
    /// @throws StoreException where its record no longer reads, or its tensors make no sense
    public Checkpoint whole(Checkpoint outlined) throws IOException {
        return switch (log.read(outlined.number())) {
            case Checkpoint checkpoint when checkpoint.id().equals(outlined.id()) -> checkpoint;
            case LogRecord _ ->
                throw new DamagedException(
                        CommitLog.name(outlined.number()), "record of another checkpoint than a moment ago");
        };
    }

    /// The whole log, oldest first. A number whose segments are there and whose record is not counts as unreadable.
    public List<Entry> entries() throws IOException {
        return history().all();
    }

    /// The part of the log that makes up the run now, oldest first: what came after the last fresh start.
    public List<Entry> currentEntries() throws IOException {
        return history().current();
    }

    /// Opens a checkpoint for reading. Every byte read from it is checked first. Files that a merge removes
    /// meanwhile are looked for again in their new form.
    public CheckpointReader open(Checkpoint checkpoint) throws IOException {
        History history = history();
        while (true) {
            try {
                return open(history.chain(checkpoint));
            } catch (DamagedException damaged) {
                History now = history();
                if (now.lastNumber() == history.lastNumber() || !now.has(checkpoint)) {
                    throw damaged;
                }
                history = now;
            }
        }
    }

    /// What the blocks of each tensor take, in the order of the record's tensors: as the record says, or, where it is
    /// from before records did, as the segments' indexes say. Empty for tensors of segments that do not read.
    public List<OptionalLong> tensorBytes(Checkpoint checkpoint) throws IOException {
        return TensorSizes.of(blobs, checkpoint);
    }

    /// Opens the last of a chain of checkpoints, the base first.
    CheckpointReader open(List<Checkpoint> chain) throws IOException {
        return CheckpointReader.open(blobs, chain);
    }

    /// Starts writing: finds the next number and removes what a writer that died left behind. The caller makes sure
    /// that it is the run's only writer; where it is not after all, the next commit fails.
    ///
    /// Where the one before did not give the run back, a record says so first: should that one be alive, cut off in
    /// the middle of a save, its next commit fails, whenever it comes.
    ///
    /// @param right to write there; its check is asked before each commit
    public CheckpointWriter writer(CheckpointWriter.Guard right) throws IOException {
        History history = fenced(right);
        List<String> temporaries = temporaries();
        CommitLog.checkLeft(history.lastNumber() + 1);
        // In this order: who takes the run from us after this check changes nothing of what was seen before it.
        right.check();
        removeNeedless(history, _ -> true);
        for (String temporary : temporaries) {
            blobs.deleteTemporary(temporary);
        }
        return new CheckpointWriter(this, blobs, log, right, history.lastNumber() + 1);
    }

    /// The same, but removes nothing: what nothing needs in a good run may be what a damaged one is repaired with.
    CheckpointWriter writerAmongLeftovers(CheckpointWriter.Guard right) throws IOException {
        History history = fenced(right);
        right.check();
        return new CheckpointWriter(this, blobs, log, right, history.lastNumber() + 1);
    }

    /// What the log says once nobody before this writer can add to it.
    private History fenced(CheckpointWriter.Guard right) throws IOException {
        Optional<TakeOver> takeOver = right.takeOver();
        if (takeOver.isEmpty()) {
            return history();
        }
        if (right.takesOverByAnyRecord()) {
            History history = history();
            if (history.isEmpty()) {
                return history; // Nothing in it is removed, so what comes into the run meanwhile stays.
            }
        }
        fence(right, takeOver.get());
        right.takeOverRecorded();
        return history();
    }

    /// Takes the number that the writer before would take next. Where that one is alive and faster, the next.
    private void fence(CheckpointWriter.Guard right, TakeOver takeOver) throws IOException {
        for (int attempt = 1; ; attempt++) {
            long next = history().lastNumber() + 1;
            right.check();
            try {
                log.append(new TakenOver(
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
    private List<String> temporaries() throws IOException {
        var files = new ArrayList<>(blobs.temporaries(CommitLog.FOLDER));
        files.addAll(blobs.temporaries(LeaseFolder.NAME));
        files.addAll(blobs.temporaries(SEGMENTS));
        return files;
    }

    BlobStore blobs() {
        return blobs;
    }

    /// How many bytes the storage still takes.
    public long usableBytes() throws IOException {
        return blobs.usableBytes();
    }

    /// Files that nothing needs: left by saves, merges and removals that were cut off. Not damage; the next writer
    /// removes them.
    public List<String> leftovers() throws IOException {
        History history = history();
        var leftovers = new ArrayList<>(history.needlessSegments());
        history.obsoleteNumbers().stream().sorted().map(CommitLog::name).forEach(leftovers::add);
        return leftovers;
    }

    /// Files in the run that are not Cairn's, but for those that people and other tools may well put there: logs,
    /// tables and TensorBoard's events.
    List<String> foreignFiles() throws IOException {
        return blobs.listAll().stream()
                .filter(name -> !CommitLog.isRecord(name)
                        && SegmentName.parse(name) == null
                        && !LeaseFolder.isLease(name)
                        && !name.startsWith(Quarantine.NAME)
                        && !name.startsWith(CommitLog.FOLDER + LocalBlobStore.TEMPORARY_PREFIX)
                        && !name.startsWith(LeaseFolder.NAME + LocalBlobStore.TEMPORARY_PREFIX)
                        && !WELCOME.matcher(name).matches())
                .sorted()
                .toList();
    }

    /// Leases that are not what was written.
    List<DamagedException> damagedLeases() throws IOException {
        return new LeaseFolder(blobs).damaged();
    }

    /// The lease that counts, which is never removed.
    String highestLease() throws IOException {
        return LeaseFolder.name(new LeaseFolder(blobs).highest());
    }

    /// Removes what nothing needs; segments first, so that one without a record is always a leftover that the log
    /// explains. Only the run's one writer may call it.
    ///
    /// A listing that comes over a network has no checksum, and one that lacks a record makes its segments look
    /// needless: there nothing goes on the word of one listing.
    ///
    /// @param mayRemove asked about segments that no record names
    void removeNeedless(History history, Predicate<String> mayRemove) throws IOException {
        Set<String> names = needless(history, mayRemove);
        if (blobs.isRemote() && !names.isEmpty()) {
            names.retainAll(needless(history(), mayRemove));
        }
        for (String name : names) {
            blobs.delete(name);
        }
    }

    private static Set<String> needless(History history, Predicate<String> mayRemove) {
        var names = new LinkedHashSet<String>();
        history.needlessSegments().stream().filter(mayRemove).forEach(names::add);
        for (long number : history.obsoleteNumbers()) {
            names.addAll(history.segmentsOf(number));
            names.add(CommitLog.name(number));
        }
        return names;
    }

    /// The id of the checkpoint that a segment was written for, by its name; empty where that is none of ours.
    static String idOf(String segment) {
        SegmentName name = SegmentName.parse(segment);
        return name == null ? "" : name.id();
    }

    static boolean isSegment(String name) {
        return SegmentName.parse(name) != null;
    }

    /// The files that a checkpoint has of its own, relative to the run: its record and its segments.
    public static List<String> files(Checkpoint checkpoint) {
        var files = new ArrayList<>(names(checkpoint));
        files.add(CommitLog.name(checkpoint.number()));
        return List.copyOf(files);
    }

    /// Whether the run has all these files, by their names; costs a listing of each folder.
    public boolean hasFiles(List<String> files) throws IOException {
        var there = new HashSet<>(blobs.list(SEGMENTS));
        there.addAll(blobs.list(CommitLog.FOLDER));
        return there.containsAll(files);
    }

    /// Throws where a file is missing that a reader of this checkpoint needs, in the form that it has now.
    ///
    /// @throws DamagedException that names the first
    public void requireFiles(Checkpoint checkpoint) throws IOException {
        SteadyRead.of(runs -> {
            List<Checkpoint> chain = runs.outline(this).chain(checkpoint);
            var there = new HashSet<>(blobs.list(SEGMENTS));
            for (Checkpoint link : chain) {
                for (String name : names(link)) {
                    if (!there.contains(name)) {
                        throw new DamagedException(name, "file is missing");
                    }
                }
            }
            return chain;
        });
    }

    /// The names of a checkpoint's segments.
    static List<String> names(Checkpoint checkpoint) {
        return checkpoint.segments().stream().map(SegmentRef::name).toList();
    }

    private SortedMap<Long, List<String>> segmentsByNumber() throws IOException {
        var segments = new TreeMap<Long, List<String>>();
        for (String name : blobs.list(SEGMENTS)) {
            SegmentName segment = SegmentName.parse(name);
            if (segment != null) {
                segments.computeIfAbsent(segment.number(), _ -> new ArrayList<>())
                        .add(name);
            }
        }
        return segments;
    }

    /// The number that came next when this segment was begun.
    static long segmentNumber(String name) {
        SegmentName segment = SegmentName.parse(name);
        if (segment == null) {
            throw new IllegalArgumentException("not a segment: " + name);
        }
        return segment.number();
    }
}
