package dev.cairn.store.log;

import dev.cairn.store.DamagedException;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListSet;

/// The twins that one writer still has to write. No commit waits for its twin, and none fails without it. A number
/// stays here until its twin is durable. Thread-safe. A caller that holds its monitor keeps twins from being written.
public final class Twins {
    private final CommitLog log;
    private final ConcurrentSkipListSet<Long> missing = new ConcurrentSkipListSet<>();

    /// Nothing to write yet.
    public Twins(CommitLog log) {
        this.log = log;
    }

    /// Notes that the record with this number is committed, and has no twin yet.
    public void add(long number) {
        missing.add(number);
    }

    /// Notes that these numbers were removed, and need no twin.
    public void forget(Collection<Long> numbers) {
        missing.removeAll(numbers);
    }

    /// Writes all twins that are missing.
    ///
    /// @throws dev.cairn.store.DamagedException if a record became damaged before it had a twin
    public void write() throws IOException {
        for (Long number : missing) {
            synchronized (this) {
                if (missing.contains(number)) {
                    log.createTwin(number);
                    missing.remove(number);
                }
            }
        }
    }

    /// As [#write], but a failure is left to the next call: the run is as good as before.
    public void tryWrite() {
        try {
            write();
        } catch (IOException later) {
            return;
        }
    }

    /// Rewrites what is damaged or missing of a record, if its other place is intact.
    ///
    /// @return what was damaged; empty if nothing was, or if nothing can be done
    public synchronized Optional<DamagedException> heal(long number) throws IOException {
        Optional<DamagedException> healed = log.heal(number);
        missing.remove(number);
        return healed;
    }

    /// Heals these records. A failure is left to the next writer: readers still have the twins.
    public void tryHeal(Collection<Long> numbers) {
        for (long number : numbers) {
            try {
                heal(number);
            } catch (IOException later) {
                return;
            }
        }
    }
}
