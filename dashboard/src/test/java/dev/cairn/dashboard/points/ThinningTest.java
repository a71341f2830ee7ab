package dev.cairn.dashboard.points;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ThinningTest {
    private static final int COLUMNS = 300;

    @Test
    void keepsTheRangeOfEveryColumnAndFewPoints() {
        var random = new Random(20261119);
        for (int round = 0; round < 20; round++) {
            Curve curve = noise(random, 1 + random.nextInt(100_000));
            Window window = Thinning.whole(curve, COLUMNS);
            Curve thin = Thinning.of(curve, window);
            assertThat(thin.size()).as("round %d", round).isLessThanOrEqualTo(5 * COLUMNS);
            assertThat(ranges(thin, window)).as("round %d", round).isDeepEqualTo(ranges(curve, window));
        }
    }

    @Test
    void aSpikeAmongAMillionPointsIsSeen() {
        var curve = new Curve();
        for (int i = 0; i < 1_000_000; i++) {
            curve.add(i, i, i == 777_777 ? 100 : 1);
        }
        Curve thin = Thinning.of(curve, Thinning.whole(curve, COLUMNS));
        float highest = 0;
        for (int i = 0; i < thin.size(); i++) {
            highest = Math.max(highest, thin.value(i));
        }
        assertThat(highest).isEqualTo(100);
    }

    @Test
    void gapsStayAndValuesThatAreNotFiniteAreNeverDrawn() {
        var curve = new Curve();
        curve.add(0, 0, 1);
        curve.add(1, 1, Double.NaN);
        curve.add(2, 2, Double.POSITIVE_INFINITY);
        curve.add(3, 3, 2);
        Curve thin = Thinning.of(curve, new Window(0, 3, 4));
        assertThat(thin.size()).isEqualTo(4);
        assertThat(thin.value(1)).isNaN();
        assertThat(thin.value(2)).isNaN();
        assertThat(thin.value(3)).isEqualTo(2);
    }

    @Test
    void aWindowShowsItsPointsAndTheNextAtEachSide() {
        var curve = new Curve();
        for (int i = 0; i < 100; i++) {
            curve.add(i * 10L, i, i);
        }
        Curve thin = Thinning.of(curve, new Window(205, 295, 1000));
        assertThat(thin.step(0)).isEqualTo(20);
        assertThat(thin.step(thin.size() - 1)).isEqualTo(30);
        assertThat(thin.size()).isEqualTo(11);
    }

    @Test
    void selectsBySteps() {
        var curve = new Curve();
        for (int i = 0; i < 100; i++) {
            curve.add(i, i, i);
        }
        Curve thin = Thinning.of(curve, Thinning.whole(curve, 1000), step -> step <= 40);
        assertThat(thin.size()).isEqualTo(41);
    }

    @Test
    void aClockThatGoesBackwardsMakesNoCurveThatDoes() {
        var curve = new Curve();
        curve.add(1000, 1, 1);
        curve.add(500, 2, 2);
        assertThat(curve.time(1)).isEqualTo(1000);
    }

    @Test
    void emptyCurvesAndOddWindowsAreHarmless() {
        assertThat(Thinning.of(new Curve(), new Window(5, 1, 0)).size()).isZero();
        assertThat(new Window(0, 10, Integer.MAX_VALUE).columns()).isEqualTo(Window.MOST_COLUMNS);
        assertThat(new Window(Long.MIN_VALUE, Long.MAX_VALUE, 10).column(0)).isBetween(0, 9);
    }

    private static Curve noise(Random random, int points) {
        var curve = new Curve();
        long time = 0;
        for (int i = 0; i < points; i++) {
            time += random.nextInt(100);
            curve.add(time, i, random.nextGaussian());
        }
        return curve;
    }

    /// The lowest, highest, first and last value of each column.
    private static float[][] ranges(Curve curve, Window window) {
        var ranges = new float[window.columns()][];
        for (int i = 0; i < curve.size(); i++) {
            int column = window.column(curve.time(i));
            float value = curve.value(i);
            float[] range = ranges[column];
            if (range == null) {
                ranges[column] = new float[] {value, value, value, value};
            } else {
                range[0] = Math.min(range[0], value);
                range[1] = Math.max(range[1], value);
                range[3] = value;
            }
        }
        return ranges;
    }
}
