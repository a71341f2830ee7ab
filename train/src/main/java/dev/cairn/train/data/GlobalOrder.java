package dev.cairn.train.data;

import dev.cairn.engine.CounterRandom;

/// One order for all processes. The examples are reshuffled in each epoch by a pure function of seed and epoch.
/// Every example comes once per epoch; the last batch of an epoch may be smaller.
public final class GlobalOrder implements DataOrder {
    /// Separates these random numbers from those of weights and images.
    private static final long STREAM = 0x6f72646572L << 24;

    private final long seed;
    private final int[] shuffled;
    private long shuffledEpoch = -1;

    public GlobalOrder(long seed, int count) {
        this.seed = seed;
        this.shuffled = new int[DataOrder.checked(count)];
    }

    @Override
    public int sizeAt(Cursor cursor, int batch) {
        return Math.min(batch, shuffled.length - cursor.position());
    }

    @Override
    public int exampleAt(Cursor cursor, int i) {
        if (shuffledEpoch != cursor.epoch()) {
            shuffle(cursor.epoch());
        }
        return shuffled[cursor.position() + i];
    }

    @Override
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
