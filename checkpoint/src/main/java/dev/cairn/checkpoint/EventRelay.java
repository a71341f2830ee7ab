package dev.cairn.checkpoint;

import dev.cairn.store.CheckpointWriter;
import dev.cairn.store.DamagedException;
import dev.cairn.store.LogRecord.Checkpoint;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Tells of events those parts of a run that follow them, then the user's listener. One that throws must not
/// turn a good save into a failed one, nor end the training.
final class EventRelay implements CheckpointEvent.Listener {
    private static final Logger LOG = System.getLogger("dev.cairn.checkpoint");

    private final CheckpointEvent.Listener listener;
    private final CheckpointWriter writer;
    private final Lineage lineage;
    private final SaveTiming timing;
    private final BestSoFar best;
    /// Files whose damage was told.
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    private volatile @Nullable SecondTier copy;

    EventRelay(
            CheckpointEvent.Listener listener,
            CheckpointWriter writer,
            Lineage lineage,
            SaveTiming timing,
            BestSoFar best) {
        this.listener = listener;
        this.writer = writer;
        this.lineage = lineage;
        this.timing = timing;
        this.best = best;
    }

    /// From now on the copy is told, too.
    void tell(SecondTier tier) {
        copy = tier;
    }

    /// What housekeeping tells: only it changes, or doubts, what is there.
    void fromHousekeeping(CheckpointEvent event) {
        if (event instanceof CheckpointEvent.Merged(Checkpoint checkpoint, int _, Duration _)) {
            lineage.merged(checkpoint);
        } else if (event instanceof CheckpointEvent.ChainInDoubt(Checkpoint newest, Throwable cause)) {
            if (lineage.isInDoubt() || isOfTheChainThatWasLeft(cause)) {
                return; // It was told, and has been met again: by a save that was under way then, or by a merge.
            }
            // Others may have been saved since housekeeping began.
            on(new CheckpointEvent.ChainInDoubt(lineage.doubt(newest), cause));
            return;
        }
        on(event);
    }

    private boolean isOfTheChainThatWasLeft(Throwable cause) {
        return cause instanceof DamagedException damage
                && told.contains(damage.file())
                && !lineage.needs(damage.file());
    }

    @Override
    public void on(CheckpointEvent event) {
        if (event instanceof CheckpointEvent.Committed saved) {
            timing.committed(saved.stall());
            best.saved(saved.checkpoint());
            SecondTier tier = copy;
            if (tier != null) {
                tier.saved(saved.checkpoint());
            }
        } else if (event instanceof CheckpointEvent.SaveFailed || event instanceof CheckpointEvent.SaveAborted) {
            timing.failed();
        } else if (event instanceof CheckpointEvent.ChainInDoubt(Checkpoint _, DamagedException damage)) {
            told.add(damage.file());
            writer.foundDamaged(damage.file());
        }
        try {
            listener.on(event);
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "listener failed", e);
        }
        if (event instanceof CheckpointEvent.CopyFailed(Throwable cause, CopyLag _)) {
            lineage.doubt(cause).map(Lineage.Doubt::asEvent).ifPresent(this::on);
        }
    }
}
