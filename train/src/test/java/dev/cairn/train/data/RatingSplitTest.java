package dev.cairn.train.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RatingSplitTest {
    @Test
    void fourFifthsAreToLearnFromAndNoneIsLost() {
        RatingSplit split = split(1003);
        assertThat(split.train().count()).isEqualTo(802);
        assertThat(split.test().count()).isEqualTo(201);
        assertThat(IntStream.concat(users(split.train()), users(split.test()))
                        .sorted()
                        .toArray())
                .isEqualTo(IntStream.range(0, 1003).toArray());
        for (int i = 0; i < split.test().count(); i++) {
            assertThat(split.test().item(i)).isEqualTo(2 * split.test().user(i));
            assertThat(split.test().rating(i)).isEqualTo(split.test().user(i) / 100f);
        }
    }

    /// A different value here means a different split: earlier and later runs can no longer be compared.
    @Test
    void theSplitIsPinned() {
        assertThat(users(split(1003).test()).limit(5).toArray()).containsExactly(796, 508, 828, 455, 730);
    }

    @Test
    void theMeanIsOfTheSplitsOwnRatings() {
        RatingSplit split = split(10);
        assertThat(split.test().mean()).isCloseTo(users(split.test()).sum() / 200.0, within(1e-12));
        assertThat(new Ratings(new int[0], new int[0], new short[0], 0, 0).mean())
                .isZero();
    }

    @Test
    void oneSplitDoesNotReachIntoTheOther() {
        Ratings train = split(10).train();
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> train.rating(8));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> train.user(-1));
    }

    private static RatingSplit split(int count) {
        var hundredths = new short[count];
        for (int i = 0; i < count; i++) {
            hundredths[i] = (short) i;
        }
        return RatingSplit.of(
                IntStream.range(0, count).toArray(),
                IntStream.range(0, count).map(i -> 2 * i).toArray(),
                hundredths);
    }

    private static IntStream users(Ratings ratings) {
        return IntStream.range(0, ratings.count()).map(ratings::user);
    }
}
