package dev.cairn.train.data;

import dev.cairn.engine.CounterRandom;

/// Ratings in random order: four fifths for training, the rest for testing. The split depends only on the number of
/// ratings, and is the same on every machine.
public record RatingSplit(Ratings train, Ratings test) {
    /// The data is the same for all runs, whatever their seed.
    private static final long DATA_SEED = 1;

    /// Separates these random numbers from those of weights, images and orders: spells `SPL`.
    private static final long STREAM = 0x53504C00L << 32;

    /// Shuffles the arrays in place (Fisher–Yates) and uses them without a copy.
    public static RatingSplit of(int[] users, int[] items, short[] hundredths) {
        var random = new CounterRandom(DATA_SEED, STREAM);
        int count = users.length;
        for (int i = count - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int user = users[i];
            users[i] = users[j];
            users[j] = user;
            int item = items[i];
            items[i] = items[j];
            items[j] = item;
            short rating = hundredths[i];
            hundredths[i] = hundredths[j];
            hundredths[j] = rating;
        }
        int train = (int) (count * 4L / 5);
        return new RatingSplit(
                new Ratings(users, items, hundredths, 0, train),
                new Ratings(users, items, hundredths, train, count - train));
    }
}
