package dev.cairn.plan.auto;

import dev.cairn.plan.auto.Decision.Change;
import dev.cairn.plan.auto.Decision.Limit;
import dev.cairn.plan.time.SteadyInterval;

/// Chooses the interval between saves that wastes the least time. It decides again after each save, and makes the
/// interval longer or shorter if the change is worthwhile. Callers pass in all measurements; this class reads no clock
/// and no storage. Not thread-safe.
public final class AutomaticInterval implements SavingPolicy {
    /// The settings of an automatic interval.
    ///
    /// @param priorMean the mean time between failures to assume before any failure is observed, in seconds
    /// @param priorWeight the number of failures that this assumption counts as
    /// @param budget the share of time that saves may take; 1 for no limit
    /// @param first seconds until the first save, which measures the cost of saves
    public record Settings(double priorMean, double priorWeight, double budget, double first) {
        /// The defaults: one failure a day, which the first observed failures outweigh; no budget; a first save after
        /// ten seconds.
        public static final Settings USUAL = new Settings(86_400, 1, 1, 10);

        public Settings {
            if (!(priorMean > 0) || !(priorWeight > 0) || !(first > 0)) {
                throw new IllegalArgumentException(
                        "the prior and the first interval must be positive: mean=%s weight=%s first=%s"
                                .formatted(priorMean, priorWeight, first));
            }
            if (!(budget > 0) || budget > 1) {
                throw new IllegalArgumentException("the budget must be between 0 and 1: budget=" + budget);
            }
        }

        /// With this budget.
        public Settings withBudget(double share) {
            return new Settings(priorMean, priorWeight, share, first);
        }

        /// With this assumed mean time between failures, in seconds.
        public Settings withPriorMean(double seconds) {
            return new Settings(seconds, priorWeight, budget, first);
        }
    }

    /// A new interval must differ by this factor. Closer ones waste practically the same time, and small changes would
    /// never end.
    private static final double WORTH_CHANGING = 1.15;

    private static final int SAVES_THAT_COUNT = 7;
    private static final int STEPS_THAT_COUNT = 63;

    /// The quantile of the latencies to plan with. An interval that is too long is better than saves that wait for each
    /// other.
    private static final double LATENCY_QUANTILE = 0.9;

    private final Settings settings;
    private final RecentValues steps = new RecentValues(STEPS_THAT_COUNT);
    private final RecentValues overheads = new RecentValues(SAVES_THAT_COUNT);
    private final RecentValues latencies = new RecentValues(SAVES_THAT_COUNT);
    private FailureHistory history;
    private double spentWhileSaving;
    private int stepsWhileSaving;
    private Decision decision;

    /// Creates the policy of an attempt of a run with this history.
    public AutomaticInterval(Settings settings, FailureHistory history) {
        this.settings = settings;
        this.history = history;
        this.decision = new Decision(
                settings.first, Double.NaN, Double.NaN, mean(), history.failures(), Limit.UNKNOWN, Change.FIRST);
    }

    /// Creates the policy of an attempt that knows the cost of saves from an earlier attempt.
    public AutomaticInterval(Settings settings, FailureHistory history, double overhead, double latency) {
        this(settings, history);
        overheads.add(overhead);
        latencies.add(Math.max(latency, overhead));
        decide();
    }

    /// Notes the time of one step, including any slowdown by a running save.
    public void step(double seconds, boolean saving) {
        history = history.after(seconds);
        if (saving) {
            spentWhileSaving += seconds;
            stepsWhileSaving++;
        } else {
            steps.add(seconds);
        }
    }

    /// The cost of the save is the time that the training waited for it, or the extra time of the steps that ran beside
    /// it, if that is more.
    @Override
    public void saved(double waited, double latency) {
        double slower = steps.isEmpty() ? 0 : spentWhileSaving - stepsWhileSaving * steps.median();
        double overhead = Math.max(waited, Math.min(slower, latency));
        spentWhileSaving = 0;
        stepsWhileSaving = 0;
        overheads.add(overhead);
        latencies.add(Math.max(latency, overhead));
        decide();
    }

    /// Notes that a save failed. Its time says nothing about the cost of saves.
    public void saveFailed() {
        spentWhileSaving = 0;
        stepsWhileSaving = 0;
    }

    @Override
    public double interval() {
        return decision.interval();
    }

    @Override
    public void worked(double seconds) {
        history = history.after(seconds);
    }

    /// Assumes that half an interval passed between the last save and the failure.
    @Override
    public SavingPolicy afterFailure(double remembered) {
        FailureHistory known = new FailureHistory(history.failures() + 1, remembered + decision.interval() / 2);
        return overheads.isEmpty()
                ? new AutomaticInterval(settings, known)
                : new AutomaticInterval(settings, known, overheads.median(), latencies.median());
    }

    /// The decision that is in force now.
    public Decision decision() {
        return decision;
    }

    /// The failures observed so far.
    public FailureHistory history() {
        return history;
    }

    /// Whether to save now.
    ///
    /// @param sinceLast seconds since the last save started
    /// @param timeLeft seconds until the run must end, infinite if unknown
    public boolean isDue(double sinceLast, double timeLeft) {
        return sinceLast >= decision.interval() && timeLeft > leadTime();
    }

    /// How long before its end, in seconds, a run must start its last save. No other save starts that would delay it.
    public double leadTime() {
        return latencies.isEmpty() ? 0 : 2 * latencies.quantile(1);
    }

    private double mean() {
        return history.mean(settings.priorMean, settings.priorWeight);
    }

    private void decide() {
        double overhead = overheads.median();
        double latency = Math.max(latencies.quantile(LATENCY_QUANTILE), overhead);
        double mean = mean();
        // Intervals are measured from start to start and include the time of the save itself.
        double best = SteadyInterval.of(overhead, overhead, mean) + overhead;
        double apart = latency;
        double affordable = settings.budget < 1 ? overhead / settings.budget : 0;
        double interval = Math.max(best, Math.max(apart, affordable));
        double ratio = interval / decision.interval();
        boolean first = decision.limit() == Limit.UNKNOWN;
        boolean impossible = decision.interval() < Math.max(apart, affordable);
        if (!first && !impossible && ratio < WORTH_CHANGING && ratio > 1 / WORTH_CHANGING) {
            return;
        }
        Limit limit = interval <= best ? Limit.NONE : interval <= apart ? Limit.LATENCY : Limit.BUDGET;
        Change change = first ? Change.FIRST : cause(overhead, mean);
        decision = new Decision(interval, overhead, latency, mean, history.failures(), limit, change);
    }

    /// Returns which of the two changed by the larger factor.
    private Change cause(double overhead, double mean) {
        double cost = Math.abs(Math.log(Math.max(overhead, 1e-9) / Math.max(decision.overhead(), 1e-9)));
        double failures = Math.abs(Math.log(mean / decision.meanTimeBetweenFailures()));
        return cost >= failures ? Change.COST : Change.FAILURES;
    }
}
