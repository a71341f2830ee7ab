package dev.cairn.train.batch;

import dev.cairn.engine.Batch;
import dev.cairn.train.data.DataOrder;
import dev.cairn.train.data.DataOrder.Cursor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// Provides the batches of the training split in order, in groups: the next group is loaded on another thread while
/// the learner uses this one. The batches depend only on the cursor, so nothing that is loaded ahead needs to be
/// saved.
public final class Prefetch implements AutoCloseable {
    /// A thread that wakes up for every batch would cost small models more than the loading.
    private static final int MOST_BATCHES = 8;

    /// Large batches are loaded in smaller groups.
    private static final long LOT_BYTES = 4 << 20;

    private final DataOrder order;
    private final int batch;
    private final Share share;
    private final List<Batches> loaders;
    private final int lotSize;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("cairn-batches").daemon(true).factory());
    private int turn;
    private @Nullable Lot now;
    private @Nullable Lot ahead;

    /// @param cursors the position of each batch
    private record Lot(List<Cursor> cursors, CompletableFuture<List<Batch>> loading) {
        boolean has(Cursor cursor) {
            return cursors.contains(cursor);
        }

        Batch at(Cursor cursor) {
            return loading.join().get(cursors.indexOf(cursor));
        }
    }

    /// Provides this share of every batch. A share may have no examples.
    ///
    /// @param order for the use of this object alone
    public Prefetch(Examples examples, DataOrder order, int batch, Share share) {
        this.share = share;
        this.order = order;
        this.batch = batch;
        int most = Math.ceilDiv(batch, share.of());
        this.lotSize = Math.clamp(LOT_BYTES / examples.batchBytes(most), 1, MOST_BATCHES);
        this.loaders = examples.train(most, 2 * lotSize);
    }

    /// Returns the batch at this position, valid until the next call, and starts loading the following ones.
    public Batch at(Cursor cursor) {
        Lot lot = now;
        if (lot == null || !lot.has(cursor)) {
            lot = ahead != null && ahead.has(cursor) ? ahead : load(cursor);
            now = lot;
            ahead = load(after(lot.cursors().getLast()));
        }
        try {
            return lot.at(cursor);
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /// The size of the whole batch at this position.
    public int sizeAt(Cursor cursor) {
        return order.sizeAt(cursor, batch);
    }

    /// The position after the batch at this position.
    public Cursor after(Cursor cursor) {
        return order.after(cursor, batch);
    }

    private Lot load(Cursor first) {
        turn = 1 - turn;
        List<Batches> free = loaders.subList(turn * lotSize, (turn + 1) * lotSize);
        var cursors = new ArrayList<Cursor>();
        for (Cursor cursor = first; cursors.size() < lotSize; cursor = after(cursor)) {
            cursors.add(cursor);
        }
        return new Lot(cursors, CompletableFuture.supplyAsync(() -> load(cursors, free), thread));
    }

    /// The order belongs to the loading thread: only this thread shuffles.
    private List<Batch> load(List<Cursor> cursors, List<Batches> free) {
        var loaded = new ArrayList<Batch>();
        for (Cursor cursor : cursors) {
            int whole = order.sizeAt(cursor, batch);
            int first = share.begin(whole);
            loaded.add(free.get(loaded.size()).load(share.size(whole), i -> order.exampleAt(cursor, first + i)));
        }
        return loaded;
    }

    @Override
    public void close() {
        thread.close();
        loaders.forEach(Batches::close);
    }
}
