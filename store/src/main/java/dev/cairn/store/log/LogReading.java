package dev.cairn.store.log;

import dev.cairn.store.StoreException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
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
        record Read(LogRecord entry) implements Outcome {}

        record Failed(long number, StoreException reason) implements Outcome {}
    }

    private final CommitLog log;
    private final List<Long> numbers;
    private final @Nullable Outcome[] outcomes;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

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
        var others = new ArrayList<Thread>();
        int threads = log.isRemote()
                ? Math.min(MOST_REMOTE_THREADS, numbers.size())
                : Math.min(MOST_THREADS, numbers.size() / LEAST_RECORDS);
        for (int i = 1; i < threads; i++) {
            others.add(Thread.ofPlatform().name("cairn-log-" + i).daemon(true).start(this::readRecords));
        }
        readRecords();
        try {
            for (Thread thread : others) {
                thread.join();
            }
        } catch (InterruptedException e) {
            failure.set(e); // the other threads see it and stop
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted while reading the log").initCause(e);
        }
        switch (failure.get()) {
            case null -> {}
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
        var all = new ArrayList<Outcome>(outcomes.length);
        for (Outcome outcome : outcomes) {
            all.add(Objects.requireNonNull(outcome));
        }
        return all;
    }

    private void readRecords() {
        try {
            for (int i = next.getAndIncrement();
                    i < outcomes.length && failure.get() == null;
                    i = next.getAndIncrement()) {
                outcomes[i] = read(numbers.get(i));
            }
        } catch (Throwable e) { // Any error, even out of memory, must stop the others and reach the caller.
            failure.compareAndSet(null, e);
        }
    }

    private Outcome read(long number) throws IOException {
        try {
            return new Outcome.Read(log.recall(number));
        } catch (StoreException damaged) {
            return new Outcome.Failed(number, damaged);
        }
    }
}
