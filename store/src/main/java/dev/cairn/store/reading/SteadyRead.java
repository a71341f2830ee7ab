package dev.cairn.store.reading;

import dev.cairn.store.StoreException;
import dev.cairn.store.log.History;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Reads runs that a training may be changing as if they stood still: where reading fails and a run has other records
/// than when it was listed, what failed may have been merged or removed meanwhile, and all is listed and read again,
/// quietly. Not for ever: the last attempt says what is wrong.
public final class SteadyRead {
    static final int MOST_ATTEMPTS = 100;

    private final boolean last;
    private final List<Listed> listed = new ArrayList<>();

    private record Listed(CheckpointStore store, History history) {}

    private SteadyRead(boolean last) {
        this.last = last;
    }

    /// What is read, from the beginning.
    ///
    /// @param <T> what comes of it
    public interface Reading<T> {
        /// Reads what it needs of these runs, all of which it lists here.
        T read(SteadyRead runs) throws IOException;
    }

    /// Reads, again where it must.
    ///
    /// @throws StoreException where that did not succeed and no run has changed, or too often
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

    /// What the run's log says now, as [CheckpointStore#history].
    public History history(CheckpointStore run) throws IOException {
        return noted(run, run.history());
    }

    private History noted(CheckpointStore run, History history) {
        listed.add(new Listed(run, history));
        return history;
    }

    /// Whether a failure is to be thrown so that all is read again: a run has changed since it was listed here, and
    /// this is not the last attempt.
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
