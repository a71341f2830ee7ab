package dev.cairn.store.check;

import dev.cairn.store.NewerFormatException;
import dev.cairn.store.StoreException;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.LogRecord.Parent;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Estimates quickly which checkpoints of a run are good. It compares the newest checkpoints with their checksums,
/// and checks only the file sizes of all others. A checkpoint is at most as good as the checkpoints it needs.
public final class QuickCheck {
    /// The maximum amount that is read.
    ///
    /// @param checkpoints the number of newest checkpoints to read
    public record Limits(long bytes, int checkpoints) {
        /// Limits that take a moment: fifty checkpoints, or 256 MB.
        public static final Limits USUAL = new Limits(256 << 20, 50);

        /// For a run in object storage: 16 MB.
        public static final Limits REMOTE = new Limits(16 << 20, 50);

        /// For one of many runs: ten checkpoints, or 32 MB.
        public static final Limits BRIEF = new Limits(32 << 20, 10);
    }

    /// The result for one checkpoint.
    public enum Status {
        /// All bytes that it needs match their checksums.
        GOOD,
        /// It cannot be restored.
        DAMAGED,
        /// No damage was found, but not everything was checked.
        UNKNOWN;

        private Status atMost(Status other) {
            return this == DAMAGED || other == DAMAGED ? DAMAGED : this == GOOD ? other : this;
        }
    }

    private final CheckpointStore store;
    private final Map<String, Long> sizes;
    private final Map<Long, Status> statuses = new HashMap<>();

    private QuickCheck(CheckpointStore store) throws IOException {
        this.store = store;
        this.sizes = store.blobs().sizes(RunFiles.SEGMENTS);
    }

    /// Checks the checkpoints of this history or outline.
    ///
    /// @return the status by record number
    public static Map<Long, Status> of(CheckpointStore store, History history, Limits limits) throws IOException {
        var check = new QuickCheck(store);
        check.run(history.current(), limits);
        return Map.copyOf(check.statuses);
    }

    private void run(List<Entry> entries, Limits limits) throws IOException {
        long bytes = 0;
        int read = 0;
        var own = new HashMap<Long, Status>();
        for (Entry entry : entries.reversed()) {
            Status status = switch (entry) {
                case Entry.Unreadable unreadable ->
                    unreadable.reason() instanceof NewerFormatException ? Status.UNKNOWN : Status.DAMAGED;
                case Entry.Intact(Commit checkpoint) -> {
                    bytes += checkpoint.storedBytes();
                    boolean isRead = bytes <= limits.bytes() && ++read <= limits.checkpoints();
                    yield isRead ? read(checkpoint) : look(checkpoint);
                }
            };
            own.put(entry.number(), status);
        }
        judge(entries, own);
    }

    /// A delta is at most as good as its parent.
    private void judge(List<Entry> entries, Map<Long, Status> own) {
        var byId = new HashMap<String, Status>();
        var digests = new HashMap<String, String>();
        for (Entry entry : entries) {
            Status status = own.getOrDefault(entry.number(), Status.UNKNOWN);
            if (entry instanceof Entry.Intact(Commit checkpoint)) {
                Parent parent = checkpoint.parent();
                if (parent != null) {
                    boolean fits = parent.digest().equals(digests.get(parent.id()));
                    status = fits ? status.atMost(byId.getOrDefault(parent.id(), Status.DAMAGED)) : Status.DAMAGED;
                }
                byId.put(checkpoint.id(), status);
                digests.put(checkpoint.id(), checkpoint.digest());
            }
            statuses.put(entry.number(), status);
        }
    }

    private Status look(Commit checkpoint) {
        return checkpoint.segments().stream()
                        .allMatch(segment -> segment.sizeBytes() == sizes.getOrDefault(segment.name(), -1L))
                ? Status.UNKNOWN
                : Status.DAMAGED;
    }

    private Status read(Commit checkpoint) throws IOException {
        try {
            StoreVerifier.verifyAlone(store, checkpoint, Depth.CHECKSUMS);
            return Status.GOOD;
        } catch (StoreException damaged) {
            return Status.DAMAGED;
        }
    }
}
