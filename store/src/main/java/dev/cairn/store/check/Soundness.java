package dev.cairn.store.check;

import dev.cairn.store.DamagedException;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Checkpoint;
import java.io.IOException;
import java.util.List;

/// Whether a checkpoint's own files are as they should be.
public interface Soundness {
    /// Asked of one checkpoint, without its parents.
    ///
    /// @throws IOException where that cannot be told now
    boolean isSound(Checkpoint checkpoint) throws IOException;

    /// Whether a checkpoint and all that it needs is sound.
    default boolean isWhole(History history, Checkpoint checkpoint) throws IOException {
        List<Checkpoint> chain;
        try {
            chain = history.chain(checkpoint);
        } catch (DamagedException broken) {
            return false;
        }
        for (Checkpoint link : chain) {
            if (!isSound(link)) {
                return false;
            }
        }
        return true;
    }
}
