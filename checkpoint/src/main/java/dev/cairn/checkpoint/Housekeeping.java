package dev.cairn.checkpoint;

import dev.cairn.store.CheckpointStore;
import dev.cairn.store.CheckpointWriter;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.Merger;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// Keeps a run's chains short, beside saves and training: on one thread, one thing at a time. What
/// fails
/// is an event and is tried again after the next save; no checkpoint depends on it.
final class Housekeeping implements AutoCloseable {
    private final CheckpointStore store;
    private final Merger merger;
    private final CheckpointOptions options;
    private final CheckpointEvent.Listener listener;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("cairn-housekeeping").daemon(true).factory());
    private @Nullable Future<?> underWay;

    Housekeeping(
            CheckpointStore store,
            CheckpointWriter writer,
            CheckpointOptions options,
            CheckpointEvent.Listener listener) {
        this.store = store;
        this.merger = new Merger(store, writer);
        this.options = options;
        this.listener = listener;
    }

    /// Looks after the run once this checkpoint is committed, unless that is being done already.
    synchronized void after(Checkpoint committed) {
        if (underWay == null || underWay.isDone()) {
            underWay = thread.submit(() -> lookAfter(committed));
        }
    }

    private void lookAfter(Checkpoint committed) {
        long start = options.time().nanos();
        try {
            int deltas = store.history().chain(committed).size() - 1;
            if (options.longestChain() == 0 || deltas <= options.longestChain()) {
                return;
            }
            Optional<Checkpoint> merged = merger.merge(committed);
            merged.ifPresent(checkpoint -> listener.on(new CheckpointEvent.Merged(checkpoint, deltas, since(start))));
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            listener.on(new CheckpointEvent.HousekeepingFailed(committed.step(), e));
        }
    }

    /// Waits for what is under way.
    void await() throws IOException {
        Future<?> running;
        synchronized (this) {
            running = underWay;
        }
        if (running == null) {
            return;
        }
        try {
            running.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("housekeeping failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for a merge", e);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            await();
        } finally {
            thread.shutdown();
        }
    }

    private Duration since(long startNanos) {
        return Duration.ofNanos(options.time().nanos() - startNanos);
    }
}
