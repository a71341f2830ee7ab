package dev.cairn.store.check;

import dev.cairn.store.DamagedException;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import java.io.IOException;
import java.util.List;

/// Whether a checkpoint's own files are as they should be.
public interface Soundness {
    /// Asked of one checkpoint, without its parents.
    ///
    /// @throws IOException where that cannot be told now
    boolean isSound(Commit checkpoint) throws IOException;

    /// Whether a checkpoint and all that it needs is sound.
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
