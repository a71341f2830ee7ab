package dev.cairn.plan.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.plan.auto.SavingPolicy;
import dev.cairn.plan.simulation.Run.Cost;
import dev.cairn.plan.simulation.Run.Task;
import dev.cairn.plan.time.ExpectedTime;
import dev.cairn.plan.time.FailureLaw;
import dev.cairn.plan.time.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Compares the computed mean with the simulated mean: two ways to the same number.
class ExactExpectationTest {
    private static final int RUNS = 3000;
    private static final double NORMAL_99 = 2.575829;
    private static final double NORMAL_9999 = 3.890592;

    @Test
    void isWhatSimulatedRunsTakeOverAGridOfSettings() {
        var far = new ArrayList<String>();
        var absurd = new ArrayList<String>();
        int settings = 0;
        for (double mean : new double[] {40, 150, 1000}) {
            for (double overhead : new double[] {1, 6}) {
                for (double late : new double[] {0, 9, 24}) {
                    for (double interval : new double[] {25, 60}) {
                        for (double restart : new double[] {0, 12}) {
                            for (double shape : new double[] {0, 0.7, 1.6}) {
                                var job = new Job(610, overhead, overhead + late, restart, restart / 3);
                                FailureLaw law = shape == 0
                                        ? new FailureLaw.Exponential(mean)
                                        : new FailureLaw.Weibull(mean, shape);
                                settings++;
                                double off = deviation(job, interval, law, settings);
                                String text =
                                        "%s every %s under %s: %.2f standard errors".formatted(job, interval, law, off);
                                if (Math.abs(off) > NORMAL_99) {
                                    far.add(text);
                                }
                                if (Math.abs(off) > NORMAL_9999) {
                                    absurd.add(text);
                                }
                            }
                        }
                    }
                }
            }
        }
        assertThat(settings).isGreaterThanOrEqualTo(200);
        assertThat(absurd).isEmpty();
        assertThat(far).hasSizeLessThanOrEqualTo(settings * 3 / 100);
    }

    /// In standard errors of the simulated mean.
    private static double deviation(Job job, double interval, FailureLaw law, long seed) {
        var random = new SplittableRandom(seed);
        var cost = new Cost(job.overhead(), job.latency(), job.latency(), 0);
        var task =
                new Task(job.work(), interval / 4, job.restart(), job.detection(), _ -> cost, Double.POSITIVE_INFINITY);
        var policy = new SavingPolicy.Fixed(interval + job.overhead());
        var times = new ArrayList<Double>();
        for (int run = 0; run < RUNS; run++) {
            times.add(
                    Run.of(task, policy, new FailureTimes.Renewal(law, random)).elapsed());
        }
        double mean = mean(times);
        double squares = times.stream()
                .mapToDouble(time -> (time - mean) * (time - mean))
                .sum();
        double error = Math.sqrt(squares / (RUNS - 1) / RUNS);
        return (ExpectedTime.of(job, interval, law) - mean) / error;
    }

    private static double mean(List<Double> times) {
        return times.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }
}
