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

/// Draws the conclusions from what anybody finds damaged or gone: nothing more is built on it, and no good checkpoint
/// is given up because those that need it count as newer. What is returned is to be told, once; it changes nothing
/// more.
///
/// Safe for several threads.
public final class Doubts {
    private final Lineage lineage;
    private final CheckpointWriter writer;
    /// Files whose damage was told.
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    /// Doubts of what this writer commits.
    public Doubts(Lineage lineage, CheckpointWriter writer) {
        this.lineage = lineage;
        this.writer = writer;
    }

    /// Housekeeping could not read what this checkpoint needs.
    ///
    /// @return empty where that was told, and has been met again: by a save that was under way then, or by a merge
    public Optional<CheckpointEvent> inHousekeeping(Commit tip, Throwable cause) {
        if (lineage.isInDoubt() || isOfTheChainThatWasLeft(cause)) {
            return Optional.empty();
        }
        // Others may have been saved since housekeeping began.
        return Optional.of(noted(new Lineage.Doubt(lineage.doubt(tip), cause)));
    }

    /// A copy could not be made because of this.
    public Optional<CheckpointEvent> inCopying(Throwable cause) {
        return lineage.doubt(cause).map(this::noted);
    }

    /// Looks whether all files are there that the next delta would need.
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
