package dev.cairn.store.reading;

import dev.cairn.store.DamagedException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.EventsName;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.CommitLog;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.Manifest;
import dev.cairn.store.segment.SegmentName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// The checkpoints of one run. Reading needs no lock and changes nothing; writing belongs to one
/// [CheckpointWriter][dev.cairn.store.writing.CheckpointWriter].
public final class CheckpointStore {
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

    /// What the log says now: outlines of checkpoints, see [#manifest]. A record that its writer removed while the log
    /// was read is not taken for a lost one.
    public History history() throws IOException {
        History history = History.read(log, segmentsByNumber());
        for (int attempt = 1; attempt < MOST_ATTEMPTS && history.isOutdated(log); attempt++) {
            history = History.read(log, segmentsByNumber());
        }
        return history;
    }

    /// Whether the log has other records than when it said this; costs a listing.
    boolean hasChanged(History since) throws IOException {
        return since.hasChanged(log);
    }

    /// The full description of a checkpoint, with its tensors.
    ///
    /// @throws dev.cairn.store.StoreException where its record no longer reads, or its tensors make no sense
    public Manifest manifest(Commit outlined) throws IOException {
        Manifest manifest = log.manifest(outlined.number());
        if (!manifest.checkpoint().id().equals(outlined.id())) {
            throw new DamagedException(
                    RunFiles.record(outlined.number()), "record of another checkpoint than a moment ago");
        }
        return manifest;
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
    public CheckpointReader open(Commit checkpoint) throws IOException {
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

    /// Opens the last of a chain of checkpoints, the base first.
    public CheckpointReader open(List<Commit> chain) throws IOException {
        var manifests = new ArrayList<Manifest>();
        for (Commit checkpoint : chain) {
            manifests.add(manifest(checkpoint));
        }
        return CheckpointReader.open(blobs, manifests);
    }

    /// The log that the run is in.
    public CommitLog log() {
        return log;
    }

    /// The storage that the run is in.
    public BlobStore blobs() {
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
        var leftovers = new ArrayList<>(history.leftovers());
        leftovers.addAll(history.staged());
        history.obsoleteNumbers().stream().sorted().map(RunFiles::record).forEach(leftovers::add);
        return leftovers;
    }

    /// Files in the run that are not Cairn's, but for those that people and other tools may well put there: logs,
    /// tables and TensorBoard's events.
    public List<String> foreignFiles() throws IOException {
        return blobs.listAll().stream()
                .filter(name -> !RunFiles.isRecord(name)
                        && SegmentName.parse(name) == null
                        && !RunFiles.isLease(name)
                        && !name.startsWith(RunFiles.QUARANTINE)
                        && !name.startsWith(RunFiles.LOG + RunFiles.TEMPORARY_PREFIX)
                        && !name.startsWith(RunFiles.LEASES + RunFiles.TEMPORARY_PREFIX)
                        && !name.startsWith(RunFiles.EVENTS + RunFiles.TEMPORARY_PREFIX)
                        && EventsName.parse(name) == null
                        && !WELCOME.matcher(name).matches())
                .sorted()
                .toList();
    }

    /// Whether the run has all these files, by their names; costs a listing of each folder.
    public boolean hasFiles(List<String> files) throws IOException {
        var there = new HashSet<>(blobs.list(RunFiles.SEGMENTS));
        there.addAll(blobs.list(RunFiles.LOG));
        return there.containsAll(files);
    }

    /// Throws where a file is missing that a reader of this checkpoint needs, in the form that it has now.
    ///
    /// @throws DamagedException that names the first
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
