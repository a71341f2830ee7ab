package dev.cairn.dashboard.run;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.store.Clock;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.Manifest;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.writing.PrunePlan;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The checkpoints that a run has now, as its records tell. They are read again when there are other records.
public final class Records {
    private static final int PACE = 20;

    private final CheckpointStore store;
    private final Clock clock;
    private @Nullable Snapshot newest;
    private Set<String> names = Set.of();
    private final AtomicInteger asking = new AtomicInteger();
    private long nextNanos;

    Records(BlobStore blobs, Clock clock) {
        this.store = new CheckpointStore(blobs);
        this.clock = clock;
    }

    /// The records at one time.
    ///
    /// @param checkpoints oldest first
    /// @param unreadable the number of records that cannot be read
    /// @param keep what the run was told to keep; empty if no record says so
    /// @param plan what that removes next; empty if it is not known what to keep
    public record Snapshot(
            History history,
            List<Commit> checkpoints,
            int unreadable,
            Optional<String> keep,
            Optional<PrunePlan> plan) {
        public Snapshot {
            checkpoints = List.copyOf(checkpoints);
        }

        /// The stored size of all checkpoints.
        public long storedBytes() {
            return checkpoints.stream().mapToLong(Commit::storedBytes).sum();
        }

        /// The checkpoint with this number; empty if it is not there.
        public Optional<Commit> find(long number) {
            return checkpoints.stream()
                    .filter(checkpoint -> checkpoint.number() == number)
                    .findFirst();
        }

        /// The newest checkpoint; empty if there is none.
        public Optional<Commit> newest() {
            return checkpoints.isEmpty() ? Optional.empty() : Optional.of(checkpoints.getLast());
        }
    }

    /// The records as they are now, or were a moment ago.
    public Snapshot now() throws IOException {
        asking.incrementAndGet();
        try {
            return current();
        } finally {
            asking.decrementAndGet();
        }
    }

    /// Whether somebody waits for the records.
    boolean isAsked() {
        return asking.get() > 0;
    }

    private synchronized Snapshot current() throws IOException {
        Snapshot known = newest;
        if (known != null && clock.nanos() - nextNanos < 0) {
            return known;
        }
        long begin = clock.nanos();
        Set<String> there = new TreeSet<>(store.blobs().list(RunFiles.LOG));
        if (known == null || !there.equals(names)) {
            known = read();
            newest = known;
            names = there;
        }
        long end = clock.nanos();
        nextNanos = end + PACE * (end - begin);
        return known;
    }

    private Snapshot read() throws IOException {
        History history = store.history();
        List<Commit> checkpoints = history.currentCheckpoints();
        int unreadable = history.current().size() - checkpoints.size();
        Optional<Retention> keep = keep(checkpoints);
        Optional<PrunePlan> plan = keep.isPresent()
                ? Optional.of(PrunePlan.of(history, keep.get(), clock.now(), _ -> true))
                : Optional.empty();
        return new Snapshot(history, checkpoints, unreadable, keep.map(Retention::text), plan);
    }

    private static Optional<Retention> keep(List<Commit> checkpoints) {
        try {
            return checkpoints.isEmpty()
                    ? Optional.empty()
                    : checkpoints
                            .getLast()
                            .attributes()
                            .text(CheckpointOptions.KEEP)
                            .map(Retention::parse);
        } catch (IllegalArgumentException ofALaterVersion) {
            return Optional.empty();
        }
    }

    /// The number of bytes that can still be written to the storage.
    public long usableBytes() throws IOException {
        return store.usableBytes();
    }

    /// The tensors of a checkpoint, from its record alone.
    public Manifest manifest(Commit checkpoint) throws IOException {
        return store.manifest(checkpoint);
    }
}
