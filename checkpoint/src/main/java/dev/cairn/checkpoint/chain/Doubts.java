package dev.cairn.checkpoint.chain;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.store.DamagedException;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.writing.CheckpointWriter;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Handles damaged and missing files, whichever part of the program finds them: nothing more is built on them, and no
/// good checkpoint is removed because checkpoints that need such a file count as newer. A returned event must be
/// reported once; it has no further effect.
///
/// Thread-safe.
public final class Doubts {
    private final Lineage lineage;
    private final CheckpointWriter writer;
    /// The files whose damage was reported.
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    /// Handles doubts about the checkpoints that this writer commits.
    public Doubts(Lineage lineage, CheckpointWriter writer) {
        this.lineage = lineage;
        this.writer = writer;
    }

    /// Handles a failure of housekeeping to read what this checkpoint needs.
    ///
    /// @return empty if this was already reported and was only met again, by a save that was running at the time or
    ///     by a merge
    public Optional<CheckpointEvent> inHousekeeping(Commit tip, Throwable cause) {
        if (lineage.isInDoubt() || isOfTheChainThatWasLeft(cause)) {
            return Optional.empty();
        }
        // Other checkpoints may have been saved since housekeeping started.
        return Optional.of(noted(new Lineage.Doubt(lineage.doubt(tip), cause)));
    }

    /// Handles a failure to make a copy.
    public Optional<CheckpointEvent> inCopying(Throwable cause) {
        return lineage.doubt(cause).map(this::noted);
    }

    /// Handles damage that a check of old files found and that does not heal.
    public Optional<CheckpointEvent> inScrubbing(DamagedException damage) {
        writer.foundDamaged(damage.file());
        return lineage.doubt(damage).map(this::noted);
    }

    /// Checks whether all files exist that the next delta would need.
    public Optional<CheckpointEvent> inStore(CheckpointStore store) {
        return lineage.inspect(store).map(this::noted);
    }

    private boolean isOfTheChainThatWasLeft(Throwable cause) {
        return cause instanceof DamagedException damage
                && told.contains(damage.file())
                && !lineage.needs(damage.file());
    }

    private CheckpointEvent noted(Lineage.Doubt doubt) {
        if (doubt.cause() instanceof DamagedException damage) {
            told.add(damage.file());
            writer.foundDamaged(damage.file());
        }
        return new CheckpointEvent.ChainInDoubt(Checkpoint.of(doubt.newest()), doubt.cause());
    }
}
