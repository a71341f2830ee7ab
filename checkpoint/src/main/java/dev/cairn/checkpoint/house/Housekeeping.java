package dev.cairn.checkpoint.house;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.background.BackgroundThreads;
import dev.cairn.checkpoint.chain.Doubts;
import dev.cairn.checkpoint.chain.Lineage;
import dev.cairn.store.StoreFullException;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.store.writing.Merger;
import dev.cairn.store.writing.PrunePlan;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Keeps a run's chains short and removes what retention gives up, beside saves and training: on one thread, one
/// thing at a time. What fails is an event and is tried again after the next save; no checkpoint depends on it. A chain
/// that does not read is an event, too: it is not merged again, because nothing more is built on it.
public final class Housekeeping implements AutoCloseable {
    /// Every removal takes a record of the log, so few are gathered first.
    private static final int WORTH_A_RECORD = 4;

    private static final Duration LOOK_AROUND = Duration.ofMillis(50);

    private final CheckpointStore store;
    private final CheckpointWriter writer;
    private final Merger merger;
    private final ParentMerges parents;
    private final CheckpointOptions options;
    private final Lineage lineage;
    private final Doubts doubts;
    private final CheckpointEvent.Listener listener;
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(BackgroundThreads.named("cairn-housekeeping"));
    private @Nullable Future<?> underWay;
    private volatile long lastStep;
    private @Nullable Commit last;

    public Housekeeping(
            CheckpointStore store,
            CheckpointWriter writer,
            CheckpointOptions options,
            Lineage lineage,
            Doubts doubts,
            CheckpointEvent.Listener listener) {
        this.store = store;
        this.writer = writer;
        this.merger = new Merger(store, writer, options.resources().saveThreads());
        this.parents = new ParentMerges(store, merger, options);
        this.options = options;
        this.lineage = lineage;
        this.doubts = doubts;
        this.listener = listener;
    }

    /// Looks after the run once this checkpoint is committed, unless that is being done already.
    public synchronized void after(Commit committed) {
        lastStep = committed.step();
        last = committed;
        if (underWay == null || underWay.isDone()) {
            underWay = thread.submit(() -> lookAfter(committed, () -> {
                mergeForParents();
                merge(committed);
                prune(WORTH_A_RECORD);
            }));
        }
    }

    /// Merges and removes, now that nothing more is saved, until hardly more stays than retention wants. Waits until
    /// that is done, or it is told to stop: then nothing is merged any more.
    public void tidy(BooleanSupplier stop) throws IOException {
        await();
        synchronized (this) {
            Commit committed = last;
            if (committed == null) {
                return; // nothing has changed
            }
            underWay = thread.submit(() -> lookAfter(committed, this::tidy));
        }
        while (isUnderWay(LOOK_AROUND)) {
            if (stop.getAsBoolean()) {
                merger.stop();
            }
        }
    }

    private void tidy() throws IOException {
        prune(1);
        for (Optional<MergeMade> merged = parents.whereAny(); merged.isPresent(); merged = parents.whereAny()) {
            merged(merged.get());
            prune(1);
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private void lookAfter(Commit committed, Work work) {
        try {
            work.run();
        } catch (Throwable e) { // Whatever it is, out of memory too: it must not go unheard.
            tell(committed, e);
        }
    }

    /// @param tip what was being read, if anything was
    private void tell(@Nullable Commit tip, Throwable failure) {
        if (tip != null && Lineage.isDoubt(failure)) {
            doubts.inHousekeeping(tip, failure).ifPresent(listener::on);
        } else if (!(failure instanceof InterruptedIOException)) { // else the run is being closed; the next one merges
            listener.on(new CheckpointEvent.HousekeepingFailed(lastStep, failure));
        }
    }

    private void mergeForParents() throws IOException {
        try {
            parents.whereCrowded().ifPresent(this::merged);
        } catch (StoreFullException noRoomToMerge) {
            // What retention gives up goes all the same.
            return;
        }
    }

    private void merge(Commit committed) throws IOException {
        int deltas = store.history().chain(committed).size() - 1;
        if (options.encoding().longestChain() > 0 && deltas > options.encoding().longestChain()) {
            shorten(committed);
        }
    }

    private void shorten(Commit tip) throws IOException {
        long start = options.environment().time().nanos();
        int deltas = store.history().chain(tip).size() - 1;
        merger.merge(tip)
                .ifPresent(merged -> merged(new MergeMade(
                        merged,
                        deltas,
                        Duration.ofNanos(options.environment().time().nanos() - start))));
    }

    private void merged(MergeMade merged) {
        lineage.merged(merged.made());
        listener.on(merged.asEvent());
    }

    /// @param least how many must be there to be removed
    private void prune(int least) throws IOException {
        List<Commit> removed = writer.prune(
                options.retention(), least, options.environment().time().now());
        if (!removed.isEmpty()) {
            listener.on(new CheckpointEvent.Pruned(
                    removed.stream().map(Checkpoint::of).toList()));
        }
    }

    /// Frees what room it can for the next save, and waits for that: removes what nobody wants, be it
    /// little, and merges what is wanted where that lets more go.
    public void makeRoom() throws IOException {
        synchronized (this) {
            underWay = thread.submit(this::free);
        }
        await();
    }

    private void free() {
        @Nullable Commit looked = null;
        try {
            prune(1);
            PrunePlan plan = PrunePlan.of(
                    store.history(),
                    options.retention(),
                    options.environment().time().now(),
                    _ -> true);
            for (Commit holding : merger.holdingMost(plan)) {
                looked = holding;
                shorten(holding);
                prune(1);
            }
        } catch (StoreFullException noRoomToMerge) {
            // The save that finds none either tells.
        } catch (Throwable e) {
            tell(looked, e);
        }
    }

    /// Waits for what is under way.
    public void await() throws IOException {
        isUnderWay(Duration.ofDays(365));
    }

    /// Whether anything is under way still after waiting for it this long.
    private boolean isUnderWay(Duration patience) throws IOException {
        Future<?> running;
        synchronized (this) {
            running = underWay;
        }
        if (running == null) {
            return false;
        }
        try {
            running.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return false;
        } catch (TimeoutException e) {
            return true;
        } catch (ExecutionException e) {
            throw new IllegalStateException("housekeeping failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for a merge", e);
        }
    }

    /// Ends a merge under way: it is not worth waiting for.
    @Override
    public void close() throws IOException {
        merger.stop();
        try {
            await();
        } finally {
            thread.shutdown();
        }
    }
}
