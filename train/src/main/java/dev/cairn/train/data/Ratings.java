package dev.cairn.train.data;

import java.util.Objects;

/// The ratings of one split, ten bytes each. Both splits are ranges of the same arrays, without a copy. Immutable, so
/// any number of threads may read them.
public final class Ratings {
    /// Ratings are stored in hundredths, as integers.
    public static final float UNIT = 100;

    private final int[] users;
    private final int[] items;
    private final short[] hundredths;
    private final int first;
    private final int count;
    private final double mean;

    /// Creates a split of the `count` ratings starting at `first`, in arrays that the caller must not change any
    /// more.
    Ratings(int[] users, int[] items, short[] hundredths, int first, int count) {
        Objects.checkFromIndexSize(first, count, users.length);
        Objects.checkFromIndexSize(first, count, items.length);
        Objects.checkFromIndexSize(first, count, hundredths.length);
        this.users = users;
        this.items = items;
        this.hundredths = hundredths;
        this.first = first;
        this.count = count;
        this.mean = count == 0 ? 0 : sum() / (double) UNIT / count;
    }

    private long sum() {
        long sum = 0;
        for (int i = first; i < first + count; i++) {
            sum += hundredths[i];
        }
        return sum;
    }

    public int count() {
        return count;
    }

    public int user(int i) {
        return users[first + Objects.checkIndex(i, count)];
    }

    public int item(int i) {
        return items[first + Objects.checkIndex(i, count)];
    }

    public float rating(int i) {
        return hundredths[first + Objects.checkIndex(i, count)] / UNIT;
    }

    /// The mean of all ratings of this split; 0 if there are none.
    public double mean() {
        return mean;
    }

    @Override
    public String toString() {
        return "Ratings[count=%d, mean=%.4f]".formatted(count, mean);
    }
}
