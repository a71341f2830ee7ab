package dev.cairn.store.log;

import dev.cairn.store.DamagedException;
import dev.cairn.store.StoreException;
import dev.cairn.store.threads.Lanes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Reads many records of a log on several threads. On a disk, this uses more processors; on remote storage, it hides
/// the latency of each read.
final class LogReading {
    /// At most one thread per processor: more threads would take processors from the JIT compiler, which makes them
    /// fast.
    private static final int MOST_THREADS = Math.min(8, Runtime.getRuntime().availableProcessors());
    private static final int MOST_REMOTE_THREADS = 16;

    /// For fewer records, a thread costs more than it saves.
    private static final int LEAST_RECORDS = 32;

    /// A record, or the reason why it cannot be read.
    sealed interface Outcome {
        /// A record that could be read.
        ///
        /// @param damage what is wrong with it, if its twin was read instead
        record Read(LogRecord entry, @Nullable DamagedException damage) implements Outcome {}

        record Failed(long number, StoreException reason) implements Outcome {}
    }

    private final CommitLog log;
    private final List<Long> numbers;
    private final @Nullable Outcome[] outcomes;
    private final AtomicInteger next = new AtomicInteger();
    private final Lanes lanes = new Lanes("cairn-log", "reading the log");

    private LogReading(CommitLog log, List<Long> numbers) {
        this.log = log;
        this.numbers = numbers;
        this.outcomes = new Outcome[numbers.size()];
    }

    /// Returns one outcome for each number, in the same order.
    static List<Outcome> read(CommitLog log, List<Long> numbers) throws IOException {
        return new LogReading(log, numbers).run();
    }

    private List<Outcome> run() throws IOException {
        int threads = log.isRemote()
                ? Math.min(MOST_REMOTE_THREADS, numbers.size())
                : Math.min(MOST_THREADS, numbers.size() / LEAST_RECORDS);
        lanes.run(threads, _ -> readRecords());
        var all = new ArrayList<Outcome>(outcomes.length);
        for (Outcome outcome : outcomes) {
            all.add(Objects.requireNonNull(outcome));
        }
        return all;
    }

    private void readRecords() throws IOException {
        for (int i = next.getAndIncrement(); i < outcomes.length && !lanes.hasFailed(); i = next.getAndIncrement()) {
            outcomes[i] = read(numbers.get(i));
        }
    }

    private Outcome read(long number) throws IOException {
        try {
            RecordPlaces.Found<LogRecord> found = log.recall(number);
            return new Outcome.Read(found.content(), found.damage());
        } catch (StoreException damaged) {
            return new Outcome.Failed(number, damaged);
        }
    }
}
