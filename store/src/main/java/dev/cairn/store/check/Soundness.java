package dev.cairn.store.check;

import dev.cairn.store.DamagedException;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import java.io.IOException;
import java.util.List;

/// Whether the own files of a checkpoint are intact.
public interface Soundness {
    /// Whether the files of this checkpoint are intact, without its parents.
    ///
    /// @throws IOException if this cannot be determined now
    boolean isSound(Commit checkpoint) throws IOException;

    /// Whether a checkpoint and all checkpoints that it needs are intact.
    default boolean isWhole(History history, Commit checkpoint) throws IOException {
        List<Commit> chain;
        try {
            chain = history.chain(checkpoint);
        } catch (DamagedException broken) {
            return false;
        }
        for (Commit link : chain) {
            if (!isSound(link)) {
                return false;
            }
        }
        return true;
    }
}
