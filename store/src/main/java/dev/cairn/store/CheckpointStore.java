package dev.cairn.store;

import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.LogRecord.FreshStart;
import dev.cairn.store.LogRecord.SegmentRef;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The checkpoints of one run. Reading needs no lock and changes nothing; writing belongs to one [CheckpointWriter].
public final class CheckpointStore {
    static final String SEGMENTS = "segments/";
    private static final Pattern SEGMENT_NAME = Pattern.compile("segments/([0-9]{10,18})-[0-9a-f]{16}\\.seg");

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

    /// The whole log, oldest first.
    public List<Entry> entries() throws IOException {
        var entries = new ArrayList<Entry>();
        for (long number : log.numbers()) {
            entries.add(entry(number));
        }
        return entries;
    }

    /// The part of the log that makes up the run now, oldest first: what came after the last fresh start.
    public List<Entry> currentEntries() throws IOException {
        var entries = new ArrayList<Entry>();
        for (long number : log.numbers().reversed()) {
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
        return CheckpointReader.open(blobs, checkpoint);
    }

    /// Starts writing: finds the next number and removes what writers that died left behind. The caller makes sure that
    /// it is the run's only writer ([WriterLock]); where it is not after all, the next commit fails.
    public CheckpointWriter writer() throws IOException {
        removeLeftovers();
        List<Long> numbers = log.numbers();
        return new CheckpointWriter(blobs, log, numbers.isEmpty() ? 1 : numbers.getLast() + 1);
    }

    public long usableBytes() throws IOException {
        return blobs.usableBytes();
    }

    /// Segments that no record names: those of saves that were cut off. Segments of a record that cannot be read stay.
    List<String> leftovers() throws IOException {
        Set<Long> unreadable = new HashSet<>();
        Set<String> named = new HashSet<>();
        for (Entry entry : entries()) {
            switch (entry) {
                case Entry.Unreadable(long number, StoreException _) -> unreadable.add(number);
                case Entry.Intact(Checkpoint checkpoint) ->
                    checkpoint.segments().stream().map(SegmentRef::name).forEach(named::add);
                case Entry.Intact(FreshStart _) -> {}
            }
        }
        var leftovers = new ArrayList<String>();
        for (String name : blobs.list(SEGMENTS)) {
            Matcher matcher = SEGMENT_NAME.matcher(name);
            if (matcher.matches() && !named.contains(name) && !unreadable.contains(Long.parseLong(matcher.group(1)))) {
                leftovers.add(name);
            }
        }
        return leftovers;
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
