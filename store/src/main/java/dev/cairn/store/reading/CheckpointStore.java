package dev.cairn.store.reading;

import dev.cairn.store.DamagedException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.RecordingName;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.CommitLog;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.Manifest;
import dev.cairn.store.segment.SegmentName;
import dev.cairn.store.segment.SegmentSource;
import dev.cairn.store.segment.Spares;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// The checkpoints of one run. Reading needs no lock and changes nothing. Writing is reserved for one
/// [CheckpointWriter][dev.cairn.store.writing.CheckpointWriter].
public final class CheckpointStore {
    private static final Pattern WELCOME = Pattern.compile(".*\\.(log|jsonl|csv|lock)|(.*/)?events[^/]*");

    private final BlobStore blobs;
    private final SegmentSource segments;
    private final CommitLog log;

    /// Opens the run in this storage, which may still be empty.
    public CheckpointStore(BlobStore blobs) {
        this(blobs, Spares.NONE);
    }

    /// Opens the run in this storage, which may still be empty.
    ///
    /// @param spares where bytes of segments are read from that are damaged here and that parity cannot heal
    public CheckpointStore(BlobStore blobs, Spares spares) {
        this.blobs = blobs;
        this.segments = new SegmentSource(blobs, spares);
        this.log = new CommitLog(blobs);
    }

    /// Reads the log as it is now: outlines of checkpoints, see [#manifest]. A record that its writer removed
    /// during the read is not mistaken for a lost one.
    public History history() throws IOException {
        return SteadyRead.of(runs -> runs.history(this));
    }

    /// Reads the log once. A record that is removed during the read looks lost.
    History listing() throws IOException {
        return History.read(log, segmentsByNumber());
    }

    /// Whether the log has other records than at that time. Costs a listing.
    boolean hasChanged(History since) throws IOException {
        return since.hasChanged(log);
    }

    /// Reads the full description of a checkpoint, with its tensors.
    ///
    /// @throws dev.cairn.store.StoreException if its record can no longer be read, or its tensors are not valid
    public Manifest manifest(Commit outlined) throws IOException {
        Manifest manifest = log.manifest(outlined.number());
        if (!manifest.checkpoint().id().equals(outlined.id())) {
            throw new DamagedException(
                    RunFiles.record(outlined.number()), "record was replaced by another checkpoint during the read");
        }
        return manifest;
    }

    /// The whole log, oldest first. A number with segments but no record counts as unreadable.
    public List<Entry> entries() throws IOException {
        return history().all();
    }

    /// The part of the log that belongs to the present run, oldest first: everything after the last fresh start.
    public List<Entry> currentEntries() throws IOException {
        return history().current();
    }

    /// Opens a checkpoint for reading. Every byte read from it is checked first. If a merge removes files in the
    /// meantime, the new form is opened.
    public CheckpointReader open(Commit checkpoint) throws IOException {
        return SteadyRead.of(runs -> {
            History history = runs.history(this);
            if (!history.has(checkpoint)) {
                runs.makeLast();
            }
            return open(history.chain(checkpoint));
        });
    }

    /// Opens the last checkpoint of a chain, which starts with the base.
    public CheckpointReader open(List<Commit> chain) throws IOException {
        var manifests = new ArrayList<Manifest>();
        for (Commit checkpoint : chain) {
            manifests.add(manifest(checkpoint));
        }
        return CheckpointReader.open(segments, manifests);
    }

    /// The log of the run.
    public CommitLog log() {
        return log;
    }

    /// The storage of the run.
    public BlobStore blobs() {
        return blobs;
    }

    /// Where the segments of the run are read from.
    public SegmentSource segments() {
        return segments;
    }

    /// The number of bytes that can still be written to the storage.
    public long usableBytes() throws IOException {
        return blobs.usableBytes();
    }

    /// Files that nothing needs: leftovers of interrupted saves, merges and removals. They are not damage; the next
    /// writer removes them.
    public List<String> leftovers() throws IOException {
        History history = history();
        var leftovers = new ArrayList<>(history.leftovers());
        leftovers.addAll(history.staged());
        leftovers.addAll(history.obsoleteRecords());
        return leftovers;
    }

    /// Files in the run that are not Cairn's, except for files that people and other tools commonly put there:
    /// logs, tables and TensorBoard's events.
    public List<String> foreignFiles() throws IOException {
        return blobs.listAll().stream()
                .filter(name -> !RunFiles.isRecord(name)
                        && SegmentName.parse(name) == null
                        && !RunFiles.isLease(name)
                        && !name.equals(RunFiles.SCRUB)
                        && !name.equals(RunFiles.JOB)
                        && !name.startsWith(RunFiles.QUARANTINE)
                        && !name.startsWith(RunFiles.TEMPORARY_PREFIX)
                        && !name.startsWith(RunFiles.LOG + RunFiles.TEMPORARY_PREFIX)
                        && !name.startsWith(RunFiles.LEASES + RunFiles.TEMPORARY_PREFIX)
                        && !RecordingName.isRecording(name)
                        && !WELCOME.matcher(name).matches())
                .sorted()
                .toList();
    }

    /// Whether the run has all these files, judged by name. A record is there if its twin is. Costs a listing of each
    /// folder.
    public boolean hasFiles(List<String> files) throws IOException {
        var there = new HashSet<>(blobs.list(RunFiles.SEGMENTS));
        for (String name : blobs.list(RunFiles.LOG)) {
            long twin = RunFiles.twinNumber(name);
            there.add(twin < 0 ? name : RunFiles.record(twin));
        }
        return there.containsAll(files);
    }

    /// Throws if a file is missing that a reader of this checkpoint needs, in its present form.
    ///
    /// @throws DamagedException for the first missing file
    public void requireFiles(Commit checkpoint) throws IOException {
        SteadyRead.of(runs -> {
            List<Commit> chain = runs.history(this).chain(checkpoint);
            var there = new HashSet<>(blobs.list(RunFiles.SEGMENTS));
            for (Commit link : chain) {
                for (String name : link.segmentNames()) {
                    if (!there.contains(name)) {
                        throw new DamagedException(name, "file is missing");
                    }
                }
            }
            return chain;
        });
    }

    private SortedMap<Long, List<String>> segmentsByNumber() throws IOException {
        var segments = new TreeMap<Long, List<String>>();
        for (String name : blobs.list(RunFiles.SEGMENTS)) {
            SegmentName segment = SegmentName.parse(name);
            if (segment != null) {
                segments.computeIfAbsent(segment.number(), _ -> new ArrayList<>())
                        .add(name);
            }
        }
        return segments;
    }
}
