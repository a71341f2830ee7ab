package dev.cairn.store.reading;

import dev.cairn.store.StoreException;
import dev.cairn.store.log.History;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Reads runs that a training may be changing as if they did not change. If a read fails and a run has other records
/// than when it was listed, the failed part may have been merged or removed. Then everything is silently listed and
/// read again. The number of attempts is limited: the last one reports the error.
public final class SteadyRead {
    static final int MOST_ATTEMPTS = 100;

    private final boolean last;
    private final List<Listed> listed = new ArrayList<>();

    private record Listed(CheckpointStore store, History history) {}

    private SteadyRead(boolean last) {
        this.last = last;
    }

    /// A read from the beginning.
    ///
    /// @param <T> the type of the result
    public interface Reading<T> {
        /// Reads what it needs from these runs, and lists all of them here.
        T read(SteadyRead runs) throws IOException;
    }

    /// Reads, and repeats the read if necessary.
    ///
    /// @throws StoreException if the read failed although no run has changed, or failed too often
    public static <T> T of(Reading<T> reading) throws IOException {
        for (int attempt = 1; ; attempt++) {
            var runs = new SteadyRead(attempt == MOST_ATTEMPTS);
            try {
                return reading.read(runs);
            } catch (StoreException e) {
                if (!runs.hasChanged()) {
                    throw e;
                }
            }
        }
    }

    /// Reads the log of the run as it is now, like [CheckpointStore#history].
    public History history(CheckpointStore run) throws IOException {
        return noted(run, run.history());
    }

    private History noted(CheckpointStore run, History history) {
        listed.add(new Listed(run, history));
        return history;
    }

    /// Whether a failure should be thrown so that everything is read again: a run has changed since it was listed
    /// here, and this is not the last attempt.
    public boolean hasChanged() throws IOException {
        if (!last) {
            for (Listed run : listed) {
                if (run.store().hasChanged(run.history())) {
                    return true;
                }
            }
        }
        return false;
    }
}
