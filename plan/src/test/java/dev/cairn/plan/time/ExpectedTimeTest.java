package dev.cairn.plan.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.plan.time.FailureLaw.Exponential;
import dev.cairn.plan.time.FailureLaw.Weibull;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpectedTimeTest {
    /// Daly's exact model, in which a save blocks for its whole time: M e^(R/M) (e^((τ+C)/M) − 1) for each part.
    @ParameterizedTest
    @CsvSource({"3600,600,10,60", "86400,3000,120,0", "1000,10,9,30"})
    void isDalysWhereSavesBlock(double mean, double interval, double overhead, double restart) {
        int parts = 40;
        var job = new Job(parts * interval, overhead, overhead, restart, 0);
        double part = mean * Math.exp(restart / mean) * Math.expm1((interval + overhead) / mean);
        double last = mean * Math.exp(restart / mean) * Math.expm1(interval / mean);
        assertThat(ExpectedTime.of(job, interval, new Exponential(mean)))
                .isCloseTo((parts - 1) * part + last, within(1e-9 * parts * part));
    }

    @Test
    void withoutFailuresIsTheWorkAndItsSaves() {
        var job = new Job(300, 1, 2, 0.5, 3);
        assertThat(ExpectedTime.of(job, 60, new Exponential(1e12))).isEqualTo(304, within(1e-6));
        assertThat(ExpectedTime.of(job, 60, new Weibull(1e15, 0.7))).isEqualTo(304, within(1e-6));
    }

    /// The law without memory is the special case of shape 1 of the law with memory: two ways to compute one number.
    @ParameterizedTest
    @CsvSource({
        "1000,10,10,0,0,100,500",
        "1000,10,80,7,3,100,500",
        "1000,10,110,7,3,100,200",
        "950,10,60,7,3,100,200",
        "905,10,60,7,3,100,200",
        "90,1,60,7,3,100,50",
        "5000,3,40,20,10,45,120",
    })
    void bothLawsAgreeWhereTheyAreTheSame(
            double work,
            double overhead,
            double latency,
            double restart,
            double detection,
            double interval,
            double mean) {
        var job = new Job(work, overhead, latency, restart, detection);
        double exact = ExpectedTime.of(job, interval, new Exponential(mean));
        assertThat(ExpectedTime.of(job, interval, new Weibull(mean, 1))).isCloseTo(exact, within(1e-9 * exact));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 0.8, 1, 2, 4})
    void drawsHaveTheLawsMeanAndSurvival(double shape) {
        var law = new Weibull(100, shape);
        var random = new SplittableRandom(7);
        int draws = 200_000;
        double sum = 0;
        double within = 0;
        int alive = 0;
        for (int i = 0; i < draws; i++) {
            double drawn = law.draw(random);
            sum += drawn;
            within += Math.min(drawn, 60);
            alive += drawn > 60 ? 1 : 0;
        }
        assertThat(sum / draws).isEqualTo(100, within(2.5));
        assertThat(within / draws).isEqualTo(law.meanWithin(60), within(0.3));
        assertThat((double) alive / draws).isEqualTo(law.survival(60), within(0.005));
    }

    /// Too many parts for the recursion: compares the beginning plus the long run with the closed form of the same law.
    @ParameterizedTest
    @CsvSource({"10800, 100, 1, 1", "10800, 30, 5, 60", "1000, 0.5, 0.01, 0.02", "1e7, 40, 4, 9", "60, 10, 1, 1"})
    void manyPartsTakeWhatTheClosedFormSays(double mean, double interval, double overhead, double latency) {
        var job = new Job(4_665_600, overhead, latency, 7, 3);
        double exact = ExpectedTime.of(job, interval, new Exponential(mean));
        assertThat(job.work() / interval).isGreaterThan(ExpectedTime.MOST_PARTS_WITH_MEMORY);
        assertThat(ExpectedTime.of(job, interval, new Weibull(mean, 1))).isCloseTo(exact, within(1e-3 * exact));
    }

    /// Known from simulations: 54.75 days at 147 s, 59.2 at 10.5 s.
    @Test
    void manyPartsOfALawWithMemoryTakeWhatTheyTakeWhenPlayed() {
        double day = 86_400;
        var job = new Job(54 * day, 1, 1, 0, 0);
        var law = new Weibull(10_800, 0.7);
        assertThat(ExpectedTime.of(job, 147, law)).isCloseTo(54.75 * day, within(0.05 * day));
        assertThat(ExpectedTime.of(job, 10.5, law)).isCloseTo(59.2 * day, within(0.06 * day));
        assertThat(Optimum.of(job, law).interval()).isBetween(120.0, 180.0);
    }

    @Test
    void whatWouldNeverEndIsInfinite() {
        var job = new Job(1e6, 1, 1, 0, 0);
        assertThat(ExpectedTime.of(job, 1e6, new Exponential(1))).isInfinite();
    }
}
