package dev.cairn.store;

import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.LogRecord.FreshStart;
import dev.cairn.store.LogRecord.Parent;
import dev.cairn.store.LogRecord.SegmentRef;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The checkpoints of one run. Reading needs no lock and changes nothing; writing belongs to one [CheckpointWriter].
public final class CheckpointStore {
    static final String SEGMENTS = "segments/";
    private static final Pattern SEGMENT_NAME = Pattern.compile("segments/([0-9]{10,15})-[0-9a-f]{16}\\.seg");

    private final BlobStore blobs;
    private final CommitLog log;

    public CheckpointStore(BlobStore blobs) {
        this.blobs = blobs;
        this.log = new CommitLog(blobs);
    }

    /// One number of the log: what it says, or why it cannot be read.
    public sealed interface Entry {
        long number();

        record Intact(LogRecord entry) implements Entry {
            @Override
            public long number() {
                return entry.number();
            }
        }

        record Unreadable(long number, StoreException reason) implements Entry {}

        /// The record's file, relative to the run.
        default String file() {
            return CommitLog.name(number());
        }
    }

    /// The whole log, oldest first. A number whose segments are there and whose record is not counts as unreadable.
    public List<Entry> entries() throws IOException {
        var entries = new ArrayList<Entry>();
        for (long number : numbers()) {
            entries.add(entry(number));
        }
        return entries;
    }

    /// The part of the log that makes up the run now, oldest first: what came after the last fresh start.
    public List<Entry> currentEntries() throws IOException {
        var entries = new ArrayList<Entry>();
        for (long number : numbers().reversed()) {
            Entry entry = entry(number);
            if (entry instanceof Entry.Intact(FreshStart _)) {
                break;
            }
            entries.add(entry);
        }
        return entries.reversed();
    }

    /// Opens a checkpoint for reading. Every byte read from it is checked first.
    public CheckpointReader open(Checkpoint checkpoint) throws IOException {
        return CheckpointReader.open(blobs, chain(checkpoint));
    }

    /// Opens a checkpoint without its parents, to check its own files.
    CheckpointReader openAlone(Checkpoint checkpoint) throws IOException {
        return CheckpointReader.open(blobs, List.of(checkpoint));
    }

    /// The checkpoints that a reader of this one needs, the base first, itself last.
    public List<Checkpoint> chain(Checkpoint tip) throws IOException {
        var chain = new ArrayList<Checkpoint>();
        chain.add(tip);
        for (Parent parent = tip.parent();
                parent != null;
                parent = chain.getLast().parent()) {
            Checkpoint child = chain.getLast();
            // Parents are older: a circle would have to go up again somewhere.
            if (parent.number() >= child.number()) {
                throw broken(child, parent, "which is not older");
            }
            if (!(log.read(parent.number()) instanceof Checkpoint found)
                    || !found.id().equals(parent.id())) {
                throw broken(child, parent, "which the log does not have");
            }
            chain.add(found);
        }
        return chain.reversed();
    }

    private static DamagedException broken(Checkpoint child, Parent parent, String why) {
        return new DamagedException(
                CommitLog.name(child.number()),
                "chain broken: delta number=%d step=%d needs parent number=%d id=%s, %s"
                        .formatted(child.number(), child.step(), parent.number(), parent.id(), why));
    }

    /// Starts writing: finds the next number and removes what a writer that died left behind. The caller makes sure
    /// that it
    /// is the run's only writer; where it is not after all, the next commit fails.
    ///
    /// @param stillOurs asked before each commit, such as [WriterLock#check]
    public CheckpointWriter writer(CheckpointWriter.Guard stillOurs) throws IOException {
        removeLeftovers();
        List<Long> numbers = numbers();
        return new CheckpointWriter(blobs, log, stillOurs, numbers.isEmpty() ? 1 : numbers.getLast() + 1);
    }

    public long usableBytes() throws IOException {
        return blobs.usableBytes();
    }

    /// What a save that was cut off left: segments of the one number that comes next. Segments without a record that
    /// cannot be explained so are the remains of a lost record, and are left alone.
    List<String> leftovers() throws IOException {
        List<Long> recorded = log.numbers();
        long next = recorded.isEmpty() ? 1 : recorded.getLast() + 1;
        SortedMap<Long, List<String>> segments = segmentsByNumber();
        var leftovers = new ArrayList<String>();
        if (segments.isEmpty() || segments.lastKey() <= next) {
            leftovers.addAll(segments.getOrDefault(next, List.of()));
        }
        for (long number : recorded) {
            // A second writer that lost the race for a number, and was killed before it could clean up.
            if (entry(number) instanceof Entry.Intact(Checkpoint checkpoint)) {
                var named = checkpoint.segments().stream().map(SegmentRef::name).collect(Collectors.toSet());
                segments.getOrDefault(number, List.of()).stream()
                        .filter(name -> !named.contains(name))
                        .forEach(leftovers::add);
            }
        }
        return leftovers;
    }

    /// Every number that was taken, lowest first, also where only its segments tell of it.
    private List<Long> numbers() throws IOException {
        List<Long> recorded = log.numbers();
        long next = recorded.isEmpty() ? 1 : recorded.getLast() + 1;
        var numbers = new TreeSet<>(segmentsByNumber().keySet());
        if (!numbers.isEmpty() && numbers.last() == next) {
            numbers.remove(next);
        }
        numbers.addAll(recorded);
        return List.copyOf(numbers);
    }

    private SortedMap<Long, List<String>> segmentsByNumber() throws IOException {
        var segments = new TreeMap<Long, List<String>>();
        for (String name : blobs.list(SEGMENTS)) {
            Matcher matcher = SEGMENT_NAME.matcher(name);
            if (matcher.matches()) {
                segments.computeIfAbsent(Long.parseLong(matcher.group(1)), _ -> new ArrayList<>())
                        .add(name);
            }
        }
        return segments;
    }

    private void removeLeftovers() throws IOException {
        for (String name : leftovers()) {
            blobs.delete(name);
        }
        if (blobs instanceof LocalBlobStore local) {
            local.removeTemporaries(CommitLog.FOLDER);
        }
    }

    private Entry entry(long number) throws IOException {
        try {
            return new Entry.Intact(log.read(number));
        } catch (StoreException unreadable) {
            return new Entry.Unreadable(number, unreadable);
        }
    }
}
