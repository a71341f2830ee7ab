package dev.cairn.train.data.ratings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cairn.engine.CounterRandom;
import dev.cairn.train.data.RatingSet;
import dev.cairn.train.data.Ratings;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class FakeRatingsTest {
    private static final RatingSet SMALL = FakeRatings.generate("fake-ratings", FakeRatings.Shape.SMALL, 1);

    @Test
    void thereAreAsManyAsAskedForAndNoneTwice() {
        var pairs = new HashSet<Long>();
        for (Ratings split : List.of(SMALL.train(), SMALL.test())) {
            for (int i = 0; i < split.count(); i++) {
                assertThat(split.user(i)).isBetween(0, 999);
                assertThat(split.item(i)).isBetween(0, 499);
                assertThat(split.rating(i) * 2).isIn(1f, 2f, 3f, 4f, 5f, 6f, 7f, 8f, 9f, 10f);
                pairs.add(split.user(i) * 500L + split.item(i));
            }
        }
        assertThat(pairs).hasSize(50_000);
        assertThat(SMALL.train().count()).isEqualTo(40_000);
    }

    /// A different number here means a different data set: earlier and later runs can no longer be compared.
    @Test
    void ratingsHaveThePinnedValues() {
        long hash = 0;
        for (int i = 0; i < SMALL.train().count(); i++) {
            hash = 31 * hash + SMALL.train().user(i);
            hash = 31 * hash + SMALL.train().item(i);
            hash = 31 * hash + (int) (SMALL.train().rating(i) * 2);
        }
        assertThat(hash).isEqualTo(-7513493402540540650L);
        assertThat(FakeRatings.generate("other", FakeRatings.Shape.SMALL, 2)
                        .train()
                        .mean())
                .isNotEqualTo(SMALL.train().mean());
    }

    /// Factors learned by stochastic gradient descent predict far better than the mean, and better than biases alone.
    @Test
    void theTastesCanBeLearned() {
        double biases = error(1);
        assertThat(biases).isLessThan(0.92 * error(0));
        assertThat(error(5)).isLessThan(0.75 * biases);
    }

    @Test
    void refusesMoreRatingsThanThereIsRoomFor() {
        assertThatIllegalArgumentException().isThrownBy(() -> new FakeRatings.Shape(10, 10, 90));
        assertThatIllegalArgumentException().isThrownBy(() -> new FakeRatings.Shape(10, 10, 5));
        var full = new FakeRatings.Shape(10, 10, 56);
        assertThat(FakeRatings.generate("full", full, 1).train().count()).isEqualTo(44);
    }

    /// The error on the test split with this many factors, the first of which is a bias.
    private static double error(int rank) {
        var random = new CounterRandom(5, 5);
        var users = new double[SMALL.users()][Math.max(rank, 1)];
        var items = new double[SMALL.items()][Math.max(rank, 1)];
        for (int k = 1; k < rank; k++) {
            for (double[] user : users) {
                user[k] = 0.1 * random.nextGaussian();
            }
            for (double[] item : items) {
                item[k] = 0.1 * random.nextGaussian();
            }
        }
        for (int epoch = 0; rank > 0 && epoch < 40; epoch++) {
            for (int i = 0; i < SMALL.train().count(); i++) {
                double[] u = users[SMALL.train().user(i)];
                double[] v = items[SMALL.train().item(i)];
                double rate = 0.02;
                double wrong = SMALL.train().rating(i) - predict(u, v);
                u[0] += rate * (wrong - 0.02 * u[0]);
                v[0] += rate * (wrong - 0.02 * v[0]);
                for (int k = 1; k < rank; k++) {
                    double before = u[k];
                    u[k] += rate * (wrong * v[k] - 0.1 * u[k]);
                    v[k] += rate * (wrong * before - 0.1 * v[k]);
                }
            }
        }
        double sum = 0;
        for (int i = 0; i < SMALL.test().count(); i++) {
            double wrong = SMALL.test().rating(i)
                    - predict(users[SMALL.test().user(i)], items[SMALL.test().item(i)]);
            sum += wrong * wrong;
        }
        return Math.sqrt(sum / SMALL.test().count());
    }

    private static double predict(double[] user, double[] item) {
        double sum = SMALL.train().mean() + user[0] + item[0];
        for (int k = 1; k < user.length; k++) {
            sum += user[k] * item[k];
        }
        return sum;
    }
}
