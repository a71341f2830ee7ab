package dev.cairn.store.reading;

import dev.cairn.store.StoreException;
import dev.cairn.store.log.History;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// Reads runs that a training may be changing as if they did not change. If a read fails and a run has other records
/// than when it was listed, the failed part may have been merged or removed. Then everything is silently listed and
/// read again. The number of attempts is limited: the last one reports the error.
///
/// The log, a checkpoint that is opened, a verification and a listing all repeat their reads here, with one limit.
public final class SteadyRead {
    static final int MOST_ATTEMPTS = 100;

    private final List<Listed> listed = new ArrayList<>();
    private boolean last;
    private boolean changed;

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
        return of(reading, _ -> false);
    }

    /// Reads, and repeats the read if it fails or gives a doubtful result.
    ///
    /// @param doubtful whether a result tells of damage that a change of a run may explain; the last attempt
    ///     returns such a result
    /// @throws StoreException if the read failed although no run has changed, or failed too often
    public static <T> T of(Reading<T> reading, Predicate<? super T> doubtful) throws IOException {
        for (int attempt = 1; ; attempt++) {
            var runs = new SteadyRead(attempt == MOST_ATTEMPTS);
            try {
                T result = reading.read(runs);
                if (!doubtful.test(result) || !runs.hasChanged()) {
                    return result;
                }
            } catch (StoreException e) {
                if (!runs.hasChanged()) {
                    throw e;
                }
            }
        }
    }

    /// Reads the log of the run as it is now. A record that its writer removes during the read starts the next
    /// attempt. In the last attempt it is an unreadable entry.
    public History history(CheckpointStore run) throws IOException {
        History history = run.listing();
        listed.add(new Listed(run, history));
        StoreException unreadable = history.anyUnreadable().orElse(null);
        if (unreadable != null && hasChanged()) {
            throw unreadable;
        }
        return history;
    }

    /// Whether a failure should be thrown so that everything is read again: a run has changed since it was listed
    /// here, and this is not the last attempt.
    public boolean hasChanged() throws IOException {
        if (last) {
            return false;
        }
        for (Listed run : listed) {
            changed = changed || run.store().hasChanged(run.history());
        }
        return changed;
    }

    /// Makes this attempt the last one, because later records cannot bring back what it needs.
    void makeLast() {
        last = true;
    }
}
