package dev.cairn.train.data;

import dev.cairn.engine.CounterRandom;

/// The order of the examples. They are reshuffled in each epoch by a pure function of seed and epoch, so that only
/// the [Cursor] needs to be saved. Every example comes once per epoch; the last batch of an epoch may be smaller.
public final class DataOrder {
    /// Separates these random numbers from those of weights and images.
    private static final long STREAM = 0x6f72646572L << 24;

    private final long seed;
    private final int[] shuffled;
    private long shuffledEpoch = -1;

    /// A position in the data: `position` examples of `epoch` have been used.
    public record Cursor(long epoch, int position) {
        public static final Cursor START = new Cursor(0, 0);

        public Cursor {
            if (epoch < 0 || position < 0) {
                throw new IllegalArgumentException(
                        "not a position in the data: epoch=%d position=%d".formatted(epoch, position));
            }
        }
    }

    public DataOrder(long seed, int count) {
        if (count < 1) {
            throw new IllegalArgumentException(
                    "the data has no example to train on: count=%d; check its files".formatted(count));
        }
        this.seed = seed;
        this.shuffled = new int[count];
    }

    /// The number of examples in the batch at this position.
    public int sizeAt(Cursor cursor, int batch) {
        return Math.min(batch, shuffled.length - cursor.position());
    }

    /// The number of the i-th example of the batch at this position.
    public int exampleAt(Cursor cursor, int i) {
        if (shuffledEpoch != cursor.epoch()) {
            shuffle(cursor.epoch());
        }
        return shuffled[cursor.position() + i];
    }

    /// The position after the batch at this position.
    public Cursor after(Cursor cursor, int batch) {
        int next = cursor.position() + sizeAt(cursor, batch);
        return next == shuffled.length ? new Cursor(cursor.epoch() + 1, 0) : new Cursor(cursor.epoch(), next);
    }

    /// The Fisher–Yates shuffle, starting from the identity: no epoch depends on the previous one.
    private void shuffle(long epoch) {
        var random = new CounterRandom(seed, STREAM + epoch);
        for (int i = 0; i < shuffled.length; i++) {
            int j = random.nextInt(i + 1);
            shuffled[i] = shuffled[j];
            shuffled[j] = i;
        }
        shuffledEpoch = epoch;
    }
}
