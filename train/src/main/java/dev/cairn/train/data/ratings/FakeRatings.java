package dev.cairn.train.data.ratings;

import dev.cairn.engine.CounterRandom;
import dev.cairn.train.data.RatingSet;
import dev.cairn.train.data.RatingSplit;
import dev.cairn.train.data.Ratings;

/// Ratings of any shape with a structure that can be learned: users and items have a taste of a few numbers each, and
/// a rating is how well they fit, with noise, in half stars from 0.5 to 5.
///
/// A function of seed and shape, the same on every machine. No user rates an item twice. Some users rate up to four
/// times as often as others, and a few items get most of the ratings.
public final class FakeRatings {
    private static final int RANK = 4;

    /// Spells `RAT` and the purpose.
    private static final long TASTE_STREAM = 0x52415400L << 32;

    private static final long RATING_STREAM = 0x52415401L << 32;

    private static final double MEAN = 3.5;
    private static final double TASTE = 0.6;
    private static final double BIAS = 0.35;
    private static final double NOISE = 0.5;
    private static final int LOWEST_HALVES = 1;
    private static final int HIGHEST_HALVES = 10;
    private static final int HALF = 50;

    /// The number of ratings of the least active user, relative to the mean. The most active user has 2 minus this.
    private static final double LEAST_ACTIVE = 0.4;

    private FakeRatings() {}

    /// The numbers of users, items and ratings.
    public record Shape(int users, int items, int count) {
        public static final Shape SMALL = new Shape(1_000, 500, 50_000);

        public static final Shape MOVIELENS_10M = new Shape(71_567, 10_681, 10_000_054);

        public Shape {
            boolean fits = users > 0 && items > 0 && count > 0;
            if (!fits || (2 - LEAST_ACTIVE) * count / users + 1 > items || LEAST_ACTIVE * count / users < 1) {
                throw new IllegalArgumentException(
                        "each user needs a rating and at most as many as there are items: users=%d items=%d count=%d"
                                .formatted(users, items, count));
            }
        }
    }

    public static RatingSet generate(String name, Shape shape, long seed) {
        var tasteOf = new CounterRandom(seed, TASTE_STREAM);
        float[] userTastes = tastes(shape.users(), tasteOf);
        float[] itemTastes = tastes(shape.items(), tasteOf);
        var users = new int[shape.count()];
        var items = new int[shape.count()];
        var hundredths = new short[shape.count()];
        var random = new CounterRandom(seed, RATING_STREAM);
        var ratedBy = new int[shape.items()]; // the last user that rated the item, counted from 1
        int next = 0;
        for (int user = 0; user < shape.users(); user++) {
            for (int end = ratingsBefore(user + 1, shape); next < end; next++) {
                int item = popular(shape.items(), random);
                while (ratedBy[item] == user + 1) {
                    item = item + 1 < shape.items() ? item + 1 : 0;
                }
                ratedBy[item] = user + 1;
                users[next] = user;
                items[next] = item;
                hundredths[next] = rating(userTastes, user, itemTastes, item, random);
            }
        }
        var split = RatingSplit.of(users, items, hundredths);
        return new RatingSet(
                name,
                split.train(),
                split.test(),
                shape.users(),
                shape.items(),
                LOWEST_HALVES * HALF / Ratings.UNIT,
                HIGHEST_HALVES * HALF / Ratings.UNIT);
    }

    /// Grows with the square of the user's number, so that users with higher numbers rate more.
    private static int ratingsBefore(int user, Shape shape) {
        double part = (double) user / shape.users();
        return user == shape.users()
                ? shape.count()
                : (int) (shape.count() * (LEAST_ACTIVE * part + (1 - LEAST_ACTIVE) * part * part));
    }

    /// A random item; the first items are the most frequent.
    private static int popular(int items, CounterRandom random) {
        double x = random.nextDouble();
        return (int) (items * x * x);
    }

    /// A bias, then [#RANK] numbers, for each user or item.
    private static float[] tastes(int count, CounterRandom random) {
        var tastes = new float[count * (RANK + 1)];
        for (int i = 0; i < tastes.length; i++) {
            tastes[i] = (float) (random.nextGaussian() * (i % (RANK + 1) == 0 ? BIAS : TASTE));
        }
        return tastes;
    }

    private static short rating(float[] userTastes, int user, float[] itemTastes, int item, CounterRandom random) {
        int u = user * (RANK + 1);
        int i = item * (RANK + 1);
        double stars = MEAN + userTastes[u] + itemTastes[i] + NOISE * noise(random.nextLong());
        for (int k = 1; k <= RANK; k++) {
            stars += userTastes[u + k] * itemTastes[i + k];
        }
        int halves = (int) StrictMath.floor(2 * stars + 0.5);
        return (short) (HALF * Math.clamp(halves, LOWEST_HALVES, HIGHEST_HALVES));
    }

    /// Nearly normal with variance 1: the sum of four random numbers of 16 bits, which avoids a logarithm.
    private static double noise(long bits) {
        long sum = (bits & 0xFFFF) + (bits >>> 16 & 0xFFFF) + (bits >>> 32 & 0xFFFF) + (bits >>> 48);
        return (sum / 65535.0 - 2) * 1.7320508075688772;
    }
}
