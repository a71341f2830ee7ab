package dev.cairn.plan.auto;

import dev.cairn.plan.auto.Decision.Change;
import dev.cairn.plan.auto.Decision.Limit;
import dev.cairn.plan.time.SteadyInterval;

/// Finds the interval between saves that loses the least time, and goes on finding it: after each save it decides anew,
/// and changes its mind, in either direction, where that would pay. Told everything, asks nobody. One thread.
public final class AutomaticInterval implements SavingPolicy {
    /// What it is set to.
    ///
    /// @param priorMean the mean time between failures believed before any was seen, in seconds
    /// @param priorWeight how many failures that belief is worth
    /// @param budget the share of time that saves may take; 1 for no limit
    /// @param first seconds until the first save, which tells what saves cost
    public record Settings(double priorMean, double priorWeight, double budget, double first) {
        /// A failure a day, which the first failures overrule; no budget; a first save after ten seconds.
        public static final Settings USUAL = new Settings(86_400, 1, 1, 10);

        public Settings {
            if (!(priorMean > 0) || !(priorWeight > 0) || !(first > 0)) {
                throw new IllegalArgumentException(
                        "a prior and a first interval must be positive: mean=%s weight=%s first=%s"
                                .formatted(priorMean, priorWeight, first));
            }
            if (!(budget > 0) || budget > 1) {
                throw new IllegalArgumentException("the budget is a share between 0 and 1: budget=" + budget);
            }
        }

        /// With this budget.
        public Settings withBudget(double share) {
            return new Settings(priorMean, priorWeight, share, first);
        }

        /// With this belief of the mean time between failures, in seconds.
        public Settings withPriorMean(double seconds) {
            return new Settings(seconds, priorWeight, budget, first);
        }
    }

    /// A new interval must differ by this factor: nearer ones lose practically the same, and there is no end of small
    /// changes.
    private static final double WORTH_CHANGING = 1.15;

    private static final int SAVES_THAT_COUNT = 7;
    private static final int STEPS_THAT_COUNT = 63;

    /// Of the latencies: rather too long than saves that wait for each other.
    private static final double LATENCY_QUANTILE = 0.9;

    private final Settings settings;
    private final RecentValues steps = new RecentValues(STEPS_THAT_COUNT);
    private final RecentValues overheads = new RecentValues(SAVES_THAT_COUNT);
    private final RecentValues latencies = new RecentValues(SAVES_THAT_COUNT);
    private FailureHistory history;
    private double spentWhileSaving;
    private int stepsWhileSaving;
    private Decision decision;

    /// For an attempt of a run with this history.
    public AutomaticInterval(Settings settings, FailureHistory history) {
        this.settings = settings;
        this.history = history;
        this.decision = new Decision(
                settings.first, Double.NaN, Double.NaN, mean(), history.failures(), Limit.UNKNOWN, Change.FIRST);
    }

    /// For one that knows from an attempt before what saves cost.
    public AutomaticInterval(Settings settings, FailureHistory history, double overhead, double latency) {
        this(settings, history);
        overheads.add(overhead);
        latencies.add(Math.max(latency, overhead));
        decide();
    }

    /// A step took so long, with all that a save under way took from it.
    public void step(double seconds, boolean saving) {
        history = history.after(seconds);
        if (saving) {
            spentWhileSaving += seconds;
            stepsWhileSaving++;
        } else {
            steps.add(seconds);
        }
    }

    /// It cost what the training waited for it, or, where that is more, what the steps beside it took
    /// longer than others.
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

    /// A save came to nothing: what it took is not what saves take.
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

    /// Of what came after the last save it believes that half an interval passed before the failure.
    @Override
    public SavingPolicy afterFailure(double remembered) {
        FailureHistory known = new FailureHistory(history.failures() + 1, remembered + decision.interval() / 2);
        return overheads.isEmpty()
                ? new AutomaticInterval(settings, known)
                : new AutomaticInterval(settings, known, overheads.median(), latencies.median());
    }

    /// What holds now.
    public Decision decision() {
        return decision;
    }

    /// What was seen of failures so far.
    public FailureHistory history() {
        return history;
    }

    /// Whether to save now.
    ///
    /// @param sinceLast seconds since the last save began
    /// @param timeLeft seconds until the run must end, infinite where nobody knows
    public boolean isDue(double sinceLast, double timeLeft) {
        return sinceLast >= decision.interval() && timeLeft > leadTime();
    }

    /// How long before its end a run must begin its last save: before that no other begins that would be in its way.
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
        // Intervals are counted from start to start, with the time of the save itself.
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

    /// Which of the two moved further.
    private Change cause(double overhead, double mean) {
        double cost = Math.abs(Math.log(Math.max(overhead, 1e-9) / Math.max(decision.overhead(), 1e-9)));
        double failures = Math.abs(Math.log(mean / decision.meanTimeBetweenFailures()));
        return cost >= failures ? Change.COST : Change.FAILURES;
    }
}
