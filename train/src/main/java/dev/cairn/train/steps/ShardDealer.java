package dev.cairn.train.steps;

import dev.cairn.train.data.DataOrder.Cursor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Gives each worker the batches of its own shard, one after the other. So the place in each shard is what its worker
/// has learned.
public final class ShardDealer implements Dealer {
    private final int count;
    private final int batch;
    private final List<Cursor> places = new ArrayList<>();
    private Cursor position = Cursor.START;

    /// @param count the number of examples of all shards
    public ShardDealer(int count, int workers, int batch) {
        this.count = count;
        this.batch = batch;
        for (int worker = 0; worker < workers; worker++) {
            places.add(Cursor.START);
        }
    }

    /// If the number of workers was another one, all begin at about the same part of their shards.
    @Override
    public void begin(Cursor next, List<Cursor> saved) {
        position = next;
        int workers = places.size();
        for (int worker = 0; worker < workers; worker++) {
            long each = next.examples(count) / batch / workers * batch;
            places.set(worker, saved.size() == workers ? saved.get(worker) : Cursor.of(each, count(worker)));
        }
    }

    @Override
    public Cursor deal(int worker) {
        return places.get(worker);
    }

    @Override
    public Cursor learned(int worker, Cursor learned) {
        int own = count(worker);
        places.set(worker, Cursor.of(learned.examples(own) + batch, own));
        position = Cursor.of(position.examples(count) + batch, count);
        return position;
    }

    @Override
    public void lost(int worker, Cursor lost) {
        // Its place is still there.
    }

    @Override
    public List<Cursor> open(Collection<Cursor> given) {
        return List.copyOf(places);
    }

    private int count(int worker) {
        return Math.ceilDiv(count - worker, places.size());
    }
}
