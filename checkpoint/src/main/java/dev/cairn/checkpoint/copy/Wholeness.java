package dev.cairn.checkpoint.copy;

import dev.cairn.store.check.Soundness;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;

/// Checks quickly whether a run has a checkpoint to continue from: one with all the files that it needs.
public final class Wholeness {
    private Wholeness() {}

    public static boolean hasAny(CheckpointStore store) throws IOException {
        Soundness sound = StoreVerifier.soundness(store, StoreVerifier.Depth.FAST);
        History history = store.history();
        for (Commit checkpoint : CopyRound.checkpoints(history).reversed()) {
            if (sound.isWhole(history, checkpoint)) {
                return true;
            }
        }
        return false;
    }
}
