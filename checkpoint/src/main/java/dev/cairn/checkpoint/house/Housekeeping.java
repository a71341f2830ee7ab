package dev.cairn.checkpoint.house;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.background.BackgroundThreads;
import dev.cairn.checkpoint.background.RightOfWay;
import dev.cairn.checkpoint.chain.Doubts;
import dev.cairn.checkpoint.chain.Lineage;
import dev.cairn.store.StoreFullException;
import dev.cairn.store.blob.FileErrors;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.store.writing.Merger;
import dev.cairn.store.writing.PrunePlan;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Gives records their twins, keeps the chains of a run short, and removes what retention does not keep, in parallel
/// with saves and training. It uses one thread and does one thing at a time. A failure is an event and is retried
/// after the next save; no checkpoint depends on it. An unreadable chain is an event too. It is not merged again,
/// because nothing more is built on it.
public final class Housekeeping implements AutoCloseable {
    /// Every removal takes a record in the log, so a few removals are collected first.
    private static final int WORTH_A_RECORD = 4;

    private static final Duration LOOK_AROUND = Duration.ofMillis(50);

    private final CheckpointStore store;
    private final CheckpointWriter writer;
    private final Merger merger;
    private final ParentMerges parents;
    private final CheckpointOptions options;
    private final RightOfWay rightOfWay;
    private final Lineage lineage;
    private final Doubts doubts;
    private final CheckpointEvent.Listener listener;
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(BackgroundThreads.named("cairn-housekeeping"));
    /// The last merge and removal after a save.
    private @Nullable Future<?> round;
    /// The last work of any kind.
    private @Nullable Future<?> underWay;
    private volatile long lastStep;
    private @Nullable Commit last;

    public Housekeeping(
            CheckpointStore store,
            CheckpointWriter writer,
            CheckpointOptions options,
            RightOfWay rightOfWay,
            Lineage lineage,
            Doubts doubts,
            CheckpointEvent.Listener listener) {
        this.store = store;
        this.writer = writer;
        this.merger = new Merger(store, writer, options.resources().saveThreads());
        this.parents = new ParentMerges(store, merger, options);
        this.options = options;
        this.rightOfWay = rightOfWay;
        this.lineage = lineage;
        this.doubts = doubts;
        this.listener = listener;
    }

    /// Starts housekeeping after this commit: merges and removes, then writes the twins. While merges and removals run,
    /// or wait for twins to be written, no others are started.
    public synchronized void after(Commit committed) {
        lastStep = committed.step();
        last = committed;
        if (round == null || round.isDone()) {
            round = thread.submit(() -> lookAfter(committed, () -> {
                mergeForParents();
                merge(committed);
                prune(WORTH_A_RECORD);
            }));
        }
        // Last: on a full disk the removal must make room first.
        underWay = thread.submit(() -> lookAfter(committed, writer::writeTwins));
    }

    /// Merges and removes after the last save, until little more is left than retention keeps. Waits until this is
    /// done. If it is told to stop, it makes no further merge.
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
        writer.writeTwins();
    }

    private interface Work {
        void run() throws IOException;
    }

    private void lookAfter(Commit committed, Work work) {
        rightOfWay.begin();
        try {
            work.run();
        } catch (Throwable e) { // Any error, even out of memory, must be reported.
            tell(committed, e);
        } finally {
            rightOfWay.end();
        }
    }

    /// @param tip the checkpoint that was being read, if any
    private void tell(@Nullable Commit tip, Throwable failure) {
        if (tip != null && Lineage.isDoubt(failure)) {
            doubts.inHousekeeping(tip, failure).ifPresent(listener::on);
        } else if (!(failure
                instanceof InterruptedIOException)) { // otherwise the run is being closed; the next process merges
            listener.on(new CheckpointEvent.HousekeepingFailed(lastStep, failure));
        }
    }

    private void mergeForParents() throws IOException {
        try {
            parents.whereCrowded().ifPresent(this::merged);
        } catch (StoreFullException noRoomToMerge) {
            // What retention does not keep is still removed.
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

    /// @param least the minimum number of checkpoints to remove at once
    private void prune(int least) throws IOException {
        List<Commit> removed = writer.prune(
                options.retention(), least, options.environment().time().now());
        if (!removed.isEmpty()) {
            listener.on(new CheckpointEvent.Pruned(
                    removed.stream().map(Checkpoint::of).toList()));
        }
    }

    /// Frees as much space as possible for the next save, and waits until this is done. Removes what retention does
    /// not keep, even if it is little, and merges kept checkpoints if this allows more removals.
    public void makeRoom() throws IOException {
        synchronized (this) {
            underWay = thread.submit(this::free);
        }
        await();
    }

    private void free() {
        var reading = new AtomicReference<@Nullable Commit>();
        try {
            try {
                mergeAndRemove(reading);
            } catch (FileSystemException e) {
                if (!FileErrors.isFull(e)) {
                    throw e;
                }
                writer.giveUpTwins(plan());
                mergeAndRemove(reading);
            }
        } catch (StoreFullException noRoomToMerge) {
            // The next save also finds no space, and reports it.
        } catch (Throwable e) {
            tell(reading.get(), e);
        }
    }

    /// @param reading receives the checkpoint that is being read
    private void mergeAndRemove(AtomicReference<@Nullable Commit> reading) throws IOException {
        prune(1);
        for (Commit holding : merger.holdingMost(plan())) {
            reading.set(holding);
            shorten(holding);
            prune(1);
        }
    }

    private PrunePlan plan() throws IOException {
        return PrunePlan.of(
                store.history(),
                options.retention(),
                options.environment().time().now(),
                _ -> true);
    }

    /// Waits for the running work.
    public void await() throws IOException {
        isUnderWay(Duration.ofDays(365));
    }

    /// Whether work is still running after waiting for this long.
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

    /// Stops a running merge: it is not worth waiting for.
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
