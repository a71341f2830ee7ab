package dev.cairn.train.data;

import dev.cairn.engine.CounterRandom;

/// Every n-th example of a split, in an order of its own, again and again. In each pass the examples go through a
/// shuffle buffer: the next one is drawn from those in the buffer, and the next of the split takes its place. So each
/// example comes once in a pass. What is in the buffer is a pure function of seed, shard and position: it is made
/// again from these rather than saved.
final class Shard {
    /// Separates these random numbers from those of weights, images and other orders.
    private static final long STREAM = 0x7368617264L << 24;

    /// More than the processes of any training.
    private static final int MOST_SHARDS = 1 << 10;

    private final long seed;
    private final int number;
    private final int of;
    private final int buffer;
    private final int[] pass;
    private long shuffledPass = -1;

    /// @param count the number of examples of the split
    /// @param number which of the shards, from 0
    /// @param of the number of shards
    /// @param buffer the number of examples in the shuffle buffer
    Shard(long seed, int count, int number, int of, int buffer) {
        if (of < 1 || of > MOST_SHARDS || number < 0 || number >= of || buffer < 1) {
            throw new IllegalArgumentException("not a shard: number=%d of=%d buffer=%d".formatted(number, of, buffer));
        }
        if (DataOrder.checked(count) < of) {
            throw new IllegalArgumentException(
                    "%d examples are too few for %d workers with a shard each; use fewer workers, or the global order"
                            .formatted(count, of));
        }
        this.seed = seed;
        this.number = number;
        this.of = of;
        this.buffer = buffer;
        this.pass = new int[Math.ceilDiv(count - number, of)];
    }

    /// The number of its examples.
    int count() {
        return pass.length;
    }

    /// The example that comes after this many.
    int at(long used) {
        if (shuffledPass != used / count()) {
            shuffle(used / count());
        }
        return pass[(int) (used % count())];
    }

    private void shuffle(long wanted) {
        var random = new CounterRandom(seed, STREAM + wanted * MOST_SHARDS + number);
        int[] held = new int[Math.min(buffer, count())];
        int read = 0;
        while (read < held.length) {
            held[read] = example(read++);
        }
        int left = held.length;
        for (int i = 0; i < pass.length; i++) {
            int drawn = random.nextInt(left);
            pass[i] = held[drawn];
            held[drawn] = read < count() ? example(read++) : held[--left];
        }
        shuffledPass = wanted;
    }

    private int example(int place) {
        return number + place * of;
    }
}
