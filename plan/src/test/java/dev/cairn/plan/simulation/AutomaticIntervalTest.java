package dev.cairn.plan.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.plan.auto.AutomaticInterval;
import dev.cairn.plan.auto.AutomaticInterval.Settings;
import dev.cairn.plan.auto.Decision;
import dev.cairn.plan.auto.FailureHistory;
import dev.cairn.plan.auto.SavingPolicy;
import dev.cairn.plan.simulation.Run.Cost;
import dev.cairn.plan.simulation.Run.Task;
import dev.cairn.plan.time.ExpectedTime;
import dev.cairn.plan.time.FailureLaw.Exponential;
import dev.cairn.plan.time.Intervals;
import dev.cairn.plan.time.Job;
import dev.cairn.plan.time.Optimum;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Compares the interval that a run chooses by itself with the best interval in hindsight.
class AutomaticIntervalTest {
    private static final int HISTORIES = 300;
    private static final int RUNS = 60;

    /// If a run saves more often than this between two failures, its simulation takes too long.
    private static final double MOST_SAVES = 500;

    /// Overhead, latency, mean time between failures, step.
    private static final double[][] GRID = {
        {0.01, 0.5, 3600, 0.05},
        {0.01, 0.5, 600_000, 2},
        {0.5, 20, 3600, 0.05},
        {2, 40, 86_400, 1},
        {10, 10, 3600, 1},
        {10, 120, 20_000, 5},
        {60, 60, 3600, 5},
        {60, 600, 20_000, 5},
        {120, 300, 86_400, 20},
    };

    @ParameterizedTest
    @CsvSource({"1", "10", "0.1"})
    void afterThirtyFailuresItIsAsGoodAsTheBestKnownInHindsight(double misjudged) {
        for (double[] each : GRID) {
            for (double budget : new double[] {1, 0.02}) {
                double mean = each[2];
                var job = new Job(1000 * mean, each[0], each[1], 60, 30);
                var law = new Exponential(mean);
                double least = budget < 1 ? Intervals.budget(job, budget) - job.overhead() : 0;
                double best = Optimum.of(job, law, Math.max(least, job.leastInterval()))
                        .expected();
                double sum = 0;
                var random = new SplittableRandom(11);
                for (int history = 0; history < HISTORIES; history++) {
                    double uptime = 0;
                    for (int failure = 0; failure < 30; failure++) {
                        uptime += law.draw(random);
                    }
                    var settings =
                            Settings.USUAL.withPriorMean(misjudged * mean).withBudget(budget);
                    var auto = new AutomaticInterval(settings, new FailureHistory(30, uptime), each[0], each[1]);
                    double work = roundUp(auto.interval() - job.overhead(), each[3]);
                    sum += ExpectedTime.of(job, work, law);
                }
                assertThat(sum / HISTORIES / best)
                        .as("overhead %s, latency %s, mean %s, budget %s", each[0], each[1], each[2], budget)
                        .isLessThan(1.02);
            }
        }
    }

    /// The whole run counts, including the time in which it learns.
    @ParameterizedTest
    @CsvSource({"1", "10", "0.1"})
    void fromTheStartItIsNearlyAsGoodWhateverWasBelieved(double misjudged) {
        for (double[] each : playable()) {
            double mean = each[2];
            var job = new Job(15 * mean, each[0], each[1], 60, 30);
            Optimum best = Optimum.of(job, new Exponential(mean));
            var settings = Settings.USUAL.withPriorMean(misjudged * mean);
            double fixed = mean(
                    job,
                    mean,
                    each[3],
                    _ -> cost(each[0], each[1]),
                    () -> new SavingPolicy.Fixed(best.interval() + job.overhead()));
            double auto = mean(
                    job,
                    mean,
                    each[3],
                    _ -> cost(each[0], each[1]),
                    () -> new AutomaticInterval(settings, FailureHistory.NONE));
            assertThat(auto / fixed)
                    .as("overhead %s, latency %s, mean %s: %s against %s", each[0], each[1], each[2], auto, fixed)
                    .isLessThan(1.10);
        }
    }

    /// Costs grow or shrink tenfold midway: no fixed interval is right for both halves.
    @ParameterizedTest
    @CsvSource({"10", "0.1"})
    void itFollowsCostsThatDrift(double drift) {
        for (double[] each : playable()) {
            double mean = each[2];
            var job = new Job(40 * mean, each[0], each[1], 60, 30);
            DoubleFunction<Cost> costs =
                    done -> done < job.work() / 2 ? cost(each[0], each[1]) : cost(drift * each[0], drift * each[1]);
            double best = Double.POSITIVE_INFINITY;
            var law = new Exponential(mean);
            double start = Optimum.of(job, law).interval();
            for (double factor = 0.25; factor <= 4.1; factor *= 1.4) {
                double interval = start * factor;
                best = Math.min(
                        best, mean(job, mean, each[3], costs, () -> new SavingPolicy.Fixed(interval + job.overhead())));
            }
            double uptime = 30 * mean;
            double auto = mean(
                    job,
                    mean,
                    each[3],
                    costs,
                    () -> new AutomaticInterval(Settings.USUAL, new FailureHistory(30, uptime), each[0], each[1]));
            assertThat(auto / best)
                    .as("overhead %s, latency %s, mean %s", each[0], each[1], each[2])
                    .isLessThan(1.02);
        }
    }

    @Test
    void itChangesItsMindInBothDirectionsAndNotForNothing() {
        var auto = new AutomaticInterval(Settings.USUAL, FailureHistory.NONE);
        assertThat(auto.decision().limit()).isEqualTo(Decision.Limit.UNKNOWN);
        assertThat(auto.isDue(9.9, Double.POSITIVE_INFINITY)).isFalse();
        assertThat(auto.isDue(10, Double.POSITIVE_INFINITY)).isTrue();
        auto.saved(0.1, 1);
        Decision first = auto.decision();
        assertThat(first.change()).isEqualTo(Decision.Change.FIRST);
        for (int save = 0; save < 50; save++) {
            auto.saved(0.1 * (1 + 0.05 * Math.sin(save)), 1 + 0.1 * Math.cos(save));
        }
        auto.saved(50, 80);
        assertThat(auto.decision()).as("one slow save is an outlier").isEqualTo(first);
        for (int save = 0; save < 10; save++) {
            auto.saved(1.6, 3);
        }
        Decision dearer = auto.decision();
        assertThat(dearer.interval()).isBetween(3.5 * first.interval(), 4.5 * first.interval());
        assertThat(dearer.change()).isEqualTo(Decision.Change.COST);
        for (int save = 0; save < 10; save++) {
            auto.saved(0.1, 1);
        }
        assertThat(auto.decision().interval()).isBetween(0.85 * first.interval(), 1.15 * first.interval());
        assertThat(auto.decision().text()).contains("wastes the least time", "cost of saves has changed");
    }

    @Test
    void stepsBesideASaveThatTakeLongerAreItsCost() {
        var auto = new AutomaticInterval(Settings.USUAL, FailureHistory.NONE);
        for (int step = 0; step < 50; step++) {
            auto.step(0.1, false);
        }
        for (int step = 0; step < 10; step++) {
            auto.step(0.15, true);
        }
        auto.saved(0.02, 1.5);
        assertThat(auto.decision().overhead()).isCloseTo(0.5, within(1e-9));
        assertThat(auto.history().uptime()).isCloseTo(6.5, within(1e-9));
    }

    @Test
    void savesNeverOverlapAndKeepToTheBudget() {
        var late = new AutomaticInterval(Settings.USUAL, FailureHistory.NONE, 0.001, 600);
        assertThat(late.interval()).isGreaterThanOrEqualTo(600);
        assertThat(late.decision().limit()).isEqualTo(Decision.Limit.LATENCY);
        var dear = new AutomaticInterval(Settings.USUAL.withBudget(0.01), new FailureHistory(100, 1000), 1, 1);
        assertThat(dear.interval()).isGreaterThanOrEqualTo(100);
        assertThat(dear.decision().limit()).isEqualTo(Decision.Limit.BUDGET);
    }

    /// A save that would still be running when the last save must start would delay it.
    @Test
    void nothingBeginsThatWouldBeInTheWayOfTheLastSave() {
        var auto = new AutomaticInterval(Settings.USUAL, FailureHistory.NONE, 1, 30);
        assertThat(auto.leadTime()).isEqualTo(60);
        assertThat(auto.isDue(1e9, 61)).isTrue();
        assertThat(auto.isDue(1e9, 59)).isFalse();
    }

    /// All policies get failures at the same moments.
    private static double mean(
            Job job, double mean, double step, DoubleFunction<Cost> costs, Supplier<SavingPolicy> policies) {
        var task = new Task(job.work(), step, job.restart(), job.detection(), costs, Double.POSITIVE_INFINITY);
        double sum = 0;
        for (int run = 0; run < RUNS; run++) {
            var poisson = new Poisson(new Exponential(mean), new SplittableRandom(run));
            sum += Run.of(task, policies.get(), poisson).elapsed();
        }
        return sum / RUNS;
    }

    /// Failures that do not depend on what the run does.
    private static final class Poisson implements FailureTimes {
        private final Exponential law;
        private final SplittableRandom random;
        private double time;

        Poisson(Exponential law, SplittableRandom random) {
            this.law = law;
            this.random = random;
        }

        @Override
        public Failure firstAfter(double start) {
            while (time <= start) {
                time += law.draw(random);
            }
            return new Failure(time, true);
        }
    }

    private static List<double[]> playable() {
        return Arrays.stream(GRID)
                .filter(each -> each[2] / Math.max(Math.sqrt(2 * each[0] * each[2]), each[1]) < MOST_SAVES)
                .toList();
    }

    private static Cost cost(double overhead, double latency) {
        return new Cost(overhead, latency, latency, 0);
    }

    private static double roundUp(double seconds, double step) {
        return Math.ceil(seconds / step) * step;
    }
}
