package dev.cairn.checkpoint;

import dev.cairn.store.CheckpointStore;
import dev.cairn.store.History;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.StoreVerifier;
import java.io.IOException;

/// Whether a run has something to go on from: a checkpoint with all the files that it needs, by a quick look at
/// them.
final class Wholeness {
    private Wholeness() {}

    static boolean hasAny(CheckpointStore store) throws IOException {
        StoreVerifier.Soundness sound = StoreVerifier.soundness(store, StoreVerifier.Depth.FAST);
        History history = store.history();
        for (Checkpoint checkpoint : CopyRound.checkpoints(history).reversed()) {
            if (sound.isWhole(history, checkpoint)) {
                return true;
            }
        }
        return false;
    }
}
