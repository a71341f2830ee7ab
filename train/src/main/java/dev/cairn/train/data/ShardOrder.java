package dev.cairn.train.data;

import java.util.List;
import java.util.stream.IntStream;

/// Each worker has a shard of the split, which it repeats for itself. A batch has a share of each worker's examples,
/// one
/// behind the other in the order of the ranks, and is always whole: there is no end of an epoch for all at once.
public final class ShardOrder implements DataOrder {
    private final int count;
    private final int batch;
    private final List<Shard> shards;

    /// @param count the number of examples of the split
    /// @param workers the number of shards
    /// @param batch the size of the batches of all workers together
    /// @param buffer the number of examples in the shuffle buffer of each worker
    public ShardOrder(long seed, int count, int workers, int batch, int buffer) {
        this.count = DataOrder.checked(count);
        this.batch = batch;
        this.shards = IntStream.range(0, workers)
                .mapToObj(worker -> new Shard(seed, count, worker, workers, buffer))
                .toList();
    }

    @Override
    public int sizeAt(Cursor cursor, int size) {
        return size;
    }

    @Override
    public int exampleAt(Cursor cursor, int i) {
        int workers = shards.size();
        int worker = (int) ((long) i * workers / batch);
        while (begin(worker + 1) <= i) {
            worker++;
        }
        long batches = cursor.examples(count) / batch;
        int share = begin(worker + 1) - begin(worker);
        return shards.get(worker).at(batches * share + i - begin(worker));
    }

    /// Where the share of this worker begins in a batch.
    private int begin(int worker) {
        return (int) ((long) batch * worker / shards.size());
    }

    @Override
    public Cursor after(Cursor cursor, int size) {
        return Cursor.of(cursor.examples(count) + size, count);
    }

    /// The order of one worker that goes through its shard at a pace of its own. Positions are those in the shard.
    public static DataOrder ofOne(long seed, int count, int worker, int workers, int buffer) {
        var shard = new Shard(seed, count, worker, workers, buffer);
        return new DataOrder() {
            @Override
            public int sizeAt(Cursor cursor, int size) {
                return size;
            }

            @Override
            public int exampleAt(Cursor cursor, int i) {
                return shard.at(cursor.examples(shard.count()) + i);
            }

            @Override
            public Cursor after(Cursor cursor, int size) {
                return Cursor.of(cursor.examples(shard.count()) + size, shard.count());
            }
        };
    }
}
