package dev.cairn.plan.simulation;

import dev.cairn.plan.auto.AutomaticInterval;
import dev.cairn.plan.auto.FailureHistory;
import dev.cairn.plan.auto.SavingPolicy;
import dev.cairn.plan.simulation.Run.Cost;
import dev.cairn.plan.simulation.Run.Outcome;
import dev.cairn.plan.simulation.Run.Task;
import dev.cairn.plan.time.FailureLaw;
import dev.cairn.plan.time.Intervals;
import dev.cairn.plan.time.Job;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// Simulates a job on a cluster many times with a policy, and measures the share of time that is useful work. The same
/// seed gives the same figures. All policies get the same failures, as far as those do not depend on the policy.
public final class Simulation {
    /// A run is given up after this many times the work.
    private static final double CAP = 3;

    /// The quantile of the normal distribution for 95 %.
    private static final double NORMAL_95 = 1.959964;

    /// The job and the cluster to simulate. Times are in seconds, sizes in bytes.
    ///
    /// @param nodes the number of nodes that work together; any node that fails stops the run
    /// @param law the failure law of one node
    /// @param recorded recorded failure times, ascending, to use instead of the law; empty to use the law
    /// @param nodeLost the share of failures that destroy a node's disk, and not only a process
    /// @param groupShare the share of failures that affect a whole group of nodes
    /// @param group the number of nodes in a group
    /// @param step the time of one training step
    /// @param restart the time from a new start until the work continues
    /// @param detection the time from a failure until a new start
    /// @param blocking the time that a save takes from the work
    /// @param bytes the compressed size of one node's save
    /// @param sharedBandwidth the bandwidth of the shared storage, for all nodes together
    /// @param localBandwidth the bandwidth of a node's own disk; 0 if saves go directly to the shared storage
    public record Setting(
            int nodes,
            double work,
            FailureLaw law,
            List<Double> recorded,
            double nodeLost,
            double groupShare,
            int group,
            double step,
            double restart,
            double detection,
            double blocking,
            double bytes,
            double sharedBandwidth,
            double localBandwidth) {
        public Setting {
            recorded = List.copyOf(recorded);
            boolean positive = work > 0 && step > 0 && sharedBandwidth > 0;
            if (!positive || !(restart >= 0) || !(detection >= 0) || !(bytes >= 0) || !(localBandwidth >= 0)) {
                throw new IllegalArgumentException(
                        "impossible setting: work=%s step=%s restart=%s detection=%s bytes=%s bandwidth=%s local=%s"
                                .formatted(work, step, restart, detection, bytes, sharedBandwidth, localBandwidth));
            }
        }

        double sharedSeconds() {
            return nodes * bytes / sharedBandwidth;
        }

        /// The cost of one save.
        Cost cost() {
            double local = localBandwidth > 0 ? bytes / localBandwidth : sharedSeconds();
            double latency = blocking + local;
            double shared = localBandwidth > 0 ? latency + sharedSeconds() : latency;
            return new Cost(blocking, latency, shared, nodes * bytes);
        }

        /// The mean time between failures of the whole run.
        public double mean() {
            return recorded.isEmpty() ? law.mean() / nodes : recorded.getLast() / recorded.size();
        }

        Job job() {
            return new Job(work, cost().overhead(), cost().latency(), restart, detection);
        }
    }

    /// The results of a policy, with the bounds of the 95 % confidence interval of the mean goodput.
    public record Result(
            String name,
            double goodput,
            double low,
            double high,
            double elapsed,
            double lost,
            double bytes,
            double failures,
            double saves,
            double interval) {}

    private Simulation() {}

    /// The names of the policies that [#run] knows.
    public static List<String> policies() {
        return List.of("none", "fixed", "young", "daly", "auto");
    }

    /// Rejects a name that is not one of [#policies].
    ///
    /// @throws IllegalArgumentException if the name is unknown; the message lists the known names
    private static void checkPolicy(String name) {
        if (!policies().contains(name)) {
            throw new IllegalArgumentException(
                    "unknown policy '%s'; known: %s".formatted(name, String.join(", ", policies())));
        }
    }

    /// Simulates a policy this many times.
    ///
    /// @param every the interval of the policy `fixed`
    /// @throws IllegalArgumentException if there is no policy of this name; the message lists the known names
    public static Result run(Setting setting, String policy, double every, int runs, long seed) {
        checkPolicy(policy); // here, because a parallel stream wraps exceptions
        List<Outcome> outcomes = IntStream.range(0, runs)
                .parallel()
                .mapToObj(run -> one(setting, policy(setting, policy, every), seed, run))
                .toList();
        double mean = mean(outcomes, Outcome::goodput);
        double squares = outcomes.stream()
                .mapToDouble(outcome -> (outcome.goodput() - mean) * (outcome.goodput() - mean))
                .sum();
        double half = runs < 2 ? Double.NaN : NORMAL_95 * Math.sqrt(squares / (runs - 1) / runs);
        return new Result(
                policy,
                mean,
                mean - half,
                mean + half,
                mean(outcomes, Outcome::elapsed),
                mean(outcomes, Outcome::lost),
                mean(outcomes, Outcome::bytes),
                mean(outcomes, outcome -> (double) outcome.failures()),
                mean(outcomes, outcome -> (double) outcome.saves()),
                policy(setting, policy, every).interval());
    }

    private static double mean(List<Outcome> outcomes, java.util.function.ToDoubleFunction<Outcome> of) {
        return outcomes.stream().mapToDouble(of).average().orElse(Double.NaN);
    }

    private static Outcome one(Setting setting, SavingPolicy policy, long seed, int run) {
        var random = new SplittableRandom(seed * 1_000_003 + run);
        FailureTimes failures = !setting.recorded.isEmpty()
                ? new FailureTimes.Recorded(setting.recorded)
                : new Nodes(
                        new Nodes.Setting(
                                setting.nodes, setting.law, setting.nodeLost, setting.groupShare, setting.group),
                        random);
        Cost cost = setting.cost();
        var task =
                new Task(setting.work, setting.step, setting.restart, setting.detection, _ -> cost, CAP * setting.work);
        return Run.of(task, policy, failures);
    }

    private static SavingPolicy policy(Setting setting, String name, double every) {
        Job job = setting.job();
        double mean = setting.mean();
        return switch (name) {
            case "none" -> new SavingPolicy.Fixed(Double.POSITIVE_INFINITY);
            case "fixed" -> new SavingPolicy.Fixed(every);
            case "young" -> fixed(job, Intervals.young(job, mean));
            case "daly" -> fixed(job, Intervals.daly(job, mean));
            case "auto" -> new AutomaticInterval(AutomaticInterval.Settings.USUAL, FailureHistory.NONE);
            default -> throw new IllegalStateException("policy=" + name);
        };
    }

    private static SavingPolicy fixed(Job job, double work) {
        return new SavingPolicy.Fixed(Math.max(work, job.leastInterval()) + job.overhead());
    }
}
