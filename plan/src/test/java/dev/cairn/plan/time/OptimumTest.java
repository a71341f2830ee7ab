package dev.cairn.plan.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.plan.time.FailureLaw.Exponential;
import dev.cairn.plan.time.FailureLaw.Weibull;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptimumTest {
    @ParameterizedTest
    @CsvSource({"36000,10,10,1,3600", "36000,10,200,60,3600", "5000,100,300,60,800", "864000,40,180,120,60000"})
    void noNumberOfPartsIsBetter(double work, double overhead, double latency, double restart, double mean) {
        var job = new Job(work, overhead, latency, restart, 5);
        for (FailureLaw law : new FailureLaw[] {new Exponential(mean), new Weibull(mean, 0.7)}) {
            Optimum best = Optimum.of(job, law);
            assertThat(best.interval()).isGreaterThanOrEqualTo(job.leastInterval());
            for (int parts = 1; work / parts >= Math.max(job.leastInterval(), work / 1500); parts++) {
                assertThat(ExpectedTime.of(job, work / parts, law))
                        .as("parts=%d best=%s", parts, best)
                        .isGreaterThanOrEqualTo(best.expected() * (1 - 1e-6));
            }
        }
    }

    /// If saves are cheap and failures are rare, all formulas agree.
    @Test
    void theFormulasAreRightWhereTheyAreMeantFor() {
        double mean = 1e6;
        var job = new Job(1e8, 1, 1, 0, 0);
        double best = Optimum.of(job, new Exponential(mean)).interval();
        assertThat(Intervals.young(job, mean)).isCloseTo(best, within(0.005 * best));
        assertThat(Intervals.dalyFirst(job, mean)).isCloseTo(best, within(0.005 * best));
        assertThat(Intervals.daly(job, mean)).isCloseTo(best, within(0.001 * best));
        assertThat(Intervals.availability(job, mean)).isCloseTo(best, within(0.005 * best));
    }

    /// If a save costs a tenth of the time between failures, Young's formula is far off and Daly's higher order is not.
    /// Neither takes into account that an unfinished save is lost.
    @Test
    void theFormulasGoWrongWhereSavesAreDearOrLate() {
        double mean = 1000;
        var law = new Exponential(mean);
        var dear = new Job(1e6, 500, 500, 0, 0);
        Optimum best = Optimum.of(dear, law);
        double young = ExpectedTime.of(dear, Intervals.young(dear, mean), law);
        double daly = ExpectedTime.of(dear, Intervals.daly(dear, mean), law);
        assertThat(young / best.expected()).isGreaterThan(1.03);
        assertThat(daly / best.expected()).isLessThan(1.002);
    }

    @Test
    void theBudgetIsKept() {
        var job = new Job(1e5, 7, 30, 0, 0);
        assertThat(Intervals.budget(job, 0.035)).isEqualTo(200, within(1e-9));
        assertThat(Intervals.budget(job, 0.5)).isEqualTo(23);
        Optimum best = Optimum.of(job, new Exponential(500), 200);
        assertThat(best.interval()).isGreaterThanOrEqualTo(200).isLessThan(201);
    }

    @Test
    void whereSavesAreDearerThanFailuresThereAreNone() {
        var job = new Job(100, 50, 50, 0, 0);
        assertThat(Optimum.of(job, new Exponential(1e6)).saves()).isZero();
    }
}
