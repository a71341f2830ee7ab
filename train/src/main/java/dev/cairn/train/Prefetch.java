package dev.cairn.train;

import dev.cairn.engine.Batch;
import dev.cairn.train.data.DataOrder;
import dev.cairn.train.data.DataOrder.Cursor;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// Batches of the training split in their order, the next one loaded on a thread of its own while the learner works on
/// this one. What comes is a function of the cursor alone: nothing that is ahead needs to be saved.
final class Prefetch implements AutoCloseable {
    private final DataOrder order;
    private final int batch;
    private final List<Batches> loaders;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("cairn-batches").daemon(true).factory());
    private int turn;
    private @Nullable Ahead ahead;

    private record Ahead(Cursor cursor, CompletableFuture<Batch> loading) {}

    Prefetch(Examples examples, long seed, int batch) {
        this.order = new DataOrder(seed, examples.trainCount());
        this.batch = batch;
        this.loaders = List.of(examples.train(batch), examples.train(batch));
    }

    /// The batch at this place, valid until the next call; begins to load the one after it.
    Batch at(Cursor cursor) {
        Ahead now = ahead != null && ahead.cursor().equals(cursor) ? ahead : load(cursor);
        try {
            Batch loaded = now.loading().join();
            ahead = load(after(cursor));
            return loaded;
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    Cursor after(Cursor cursor) {
        return order.after(cursor, batch);
    }

    private Ahead load(Cursor cursor) {
        turn = 1 - turn;
        Batches loader = loaders.get(turn);
        // The order is the thread's: only it shuffles.
        return new Ahead(
                cursor,
                CompletableFuture.supplyAsync(
                        () -> loader.load(order.sizeAt(cursor, batch), i -> order.exampleAt(cursor, i)), thread));
    }

    @Override
    public void close() {
        thread.close();
        loaders.forEach(Batches::close);
    }
}
