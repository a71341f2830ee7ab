package dev.cairn.checkpoint.save;

import dev.cairn.plan.auto.AutomaticInterval;
import dev.cairn.plan.auto.AutomaticInterval.Settings;
import dev.cairn.plan.auto.Decision;
import dev.cairn.plan.auto.Decision.Change;
import dev.cairn.plan.auto.Decision.Limit;
import dev.cairn.plan.auto.FailureHistory;
import dev.cairn.store.Attributes;
import java.util.Locale;
import java.util.Optional;

/// The saves and failures that a run had seen when a checkpoint was made, and the resulting interval, as its record
/// tells them.
///
/// @param followed whether the run used that interval, and not a fixed one
/// @param last whether the attempt may have ended with this checkpoint: then its end was not a failure
public record SaveHistory(FailureHistory failures, Decision decision, boolean followed, boolean last) {
    private static final String FAILURES = "cairn.failures";
    private static final String UPTIME = "cairn.uptimeSeconds";
    private static final String INTERVAL = "cairn.intervalSeconds";
    private static final String OVERHEAD = "cairn.overheadSeconds";
    private static final String LATENCY = "cairn.latencySeconds";
    private static final String MEAN = "cairn.failureMeanSeconds";
    private static final String LIMIT = "cairn.intervalLimit";
    private static final String CHANGE = "cairn.intervalChange";
    private static final String FOLLOWED = "cairn.intervalFollowed";
    private static final String LAST = "cairn.last";

    Attributes asAttributes() {
        Attributes attributes = Attributes.empty()
                .with(FAILURES, failures.failures())
                .with(UPTIME, failures.uptime())
                .with(INTERVAL, decision.interval())
                .with(MEAN, decision.meanTimeBetweenFailures())
                .with(LIMIT, label(decision.limit()))
                .with(CHANGE, label(decision.change()))
                .with(FOLLOWED, followed)
                .with(LAST, last);
        return Double.isNaN(decision.overhead())
                ? attributes
                : attributes.with(OVERHEAD, decision.overhead()).with(LATENCY, decision.latency());
    }

    /// Reads the history from the attributes of a checkpoint; empty if it has none, as after an import, or if the
    /// values are not valid.
    public static Optional<SaveHistory> read(Attributes attributes) {
        Optional<Double> uptime = attributes.number(UPTIME);
        Optional<Double> interval = attributes.number(INTERVAL);
        Optional<Double> mean = attributes.number(MEAN);
        Optional<Long> failures = attributes.integer(FAILURES);
        Optional<Boolean> followed = attributes.flag(FOLLOWED);
        Optional<Boolean> last = attributes.flag(LAST);
        if (uptime.isEmpty()
                || interval.isEmpty()
                || mean.isEmpty()
                || failures.isEmpty()
                || followed.isEmpty()
                || last.isEmpty()) {
            return Optional.empty();
        }
        try {
            var decision = new Decision(
                    interval.get(),
                    attributes.number(OVERHEAD).orElse(Double.NaN),
                    attributes.number(LATENCY).orElse(Double.NaN),
                    mean.get(),
                    failures.get(),
                    Limit.valueOf(upper(attributes.text(LIMIT).orElse(""))),
                    Change.valueOf(upper(attributes.text(CHANGE).orElse(""))));
            var history = new FailureHistory(failures.get(), uptime.get());
            return Optional.of(new SaveHistory(history, decision, followed.get(), last.get()));
        } catch (IllegalArgumentException nonsense) {
            return Optional.empty();
        }
    }

    /// The interval for an attempt that continues from this checkpoint.
    AutomaticInterval resume(Settings settings) {
        FailureHistory known =
                last ? failures : failures.after(decision.interval() / 2).withFailure();
        boolean measured = decision.overhead() >= 0 && decision.latency() >= 0;
        return measured
                ? new AutomaticInterval(settings, known, decision.overhead(), decision.latency())
                : new AutomaticInterval(settings, known);
    }

    private static String label(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static String upper(String label) {
        return label.toUpperCase(Locale.ROOT);
    }
}
