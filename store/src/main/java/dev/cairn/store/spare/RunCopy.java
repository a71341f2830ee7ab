package dev.cairn.store.spare;

import dev.cairn.store.Clock;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.segment.SegmentRef;
import dev.cairn.store.segment.Spares;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The segments of a run's copy. Nothing of the copy is read before a segment is looked for. No read of it takes longer
/// than a minute; after one that failed, the copy is left alone for some minutes. Thread-safe.
public final class RunCopy implements Spares {
    private static final Duration LONGEST_READ = Duration.ofMinutes(1);

    private final BoundedReads blobs;
    private final CheckpointStore copy;
    private @Nullable History listed;

    /// @param storage the storage of the copy
    public RunCopy(BlobStore storage) {
        this(storage, LONGEST_READ, Clock.system());
    }

    /// @param longestRead how long a read may take
    public RunCopy(BlobStore storage, Duration longestRead, Clock clock) {
        this.blobs = new BoundedReads(storage, longestRead, clock);
        this.copy = new CheckpointStore(blobs);
    }

    /// Finds the segment by its id. It must be the same in all that its record says: the size of its contents, the
    /// checksum of its index, which covers every block, and the digest of its values. So bytes of another run
    /// are never taken.
    @Override
    public synchronized Optional<Spare> find(SegmentRef segment) throws IOException {
        History history = listed;
        if (history == null || history.hasChanged(copy.log())) {
            history = copy.history();
            listed = history;
        }
        // Of several forms of a checkpoint, the newest has its files.
        for (Commit checkpoint : history.checkpoints().reversed()) {
            for (SegmentRef there : checkpoint.segments()) {
                if (there.id() == segment.id() && there.renamed(segment.name()).equals(segment)) {
                    return Optional.of(new Spare(blobs, there.name()));
                }
            }
        }
        throw new IOException("it does not have this file");
    }

    /// The copy as a run, for readers of whole checkpoints.
    public CheckpointStore store() {
        return copy;
    }

    /// Why the copy cannot be read now; empty if nothing is known against it.
    public Optional<IOException> outage() {
        return blobs.outage();
    }
}
