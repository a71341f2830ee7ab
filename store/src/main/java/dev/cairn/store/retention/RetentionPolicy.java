package dev.cairn.store.retention;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A reason to keep a checkpoint. Policies are pure: the answer depends only on the arguments. A kept checkpoint is
/// kept again after the others are removed, unless a newer checkpoint takes its place.
public sealed interface RetentionPolicy {
    /// The text form, which [Retention#parse] accepts.
    String text();

    /// Chooses the checkpoints to keep.
    ///
    /// @param good the checkpoints that can be restored, oldest first
    /// @param others the numbers that the other policies keep; [AtLeastN] policies are asked last
    List<Candidate> choose(List<Candidate> good, Instant now, SortedSet<Long> others);

    /// Keeps every checkpoint.
    record All() implements RetentionPolicy {
        @Override
        public String text() {
            return "all";
        }

        @Override
        public List<Candidate> choose(List<Candidate> good, Instant now, SortedSet<Long> others) {
            return good;
        }
    }

    /// Keeps the newest n checkpoints.
    record LatestN(int n) implements RetentionPolicy {
        public LatestN {
            requirePositive("latest", n);
        }

        @Override
        public String text() {
            return "latest:" + n;
        }

        @Override
        public List<Candidate> choose(List<Candidate> good, Instant now, SortedSet<Long> others) {
            return good.subList(Math.max(0, good.size() - n), good.size());
        }
    }

    /// Keeps the first checkpoint at or after every n-th step: step n itself if it was saved, and so on. If a run
    /// went back and saved a step twice, it keeps the newer one.
    record EveryNSteps(long n) implements RetentionPolicy {
        public EveryNSteps {
            requirePositive("every", n);
        }

        @Override
        public String text() {
            return "every:" + n;
        }

        @Override
        public List<Candidate> choose(List<Candidate> good, Instant now, SortedSet<Long> others) {
            var firsts = new TreeMap<Long, Candidate>();
            for (Candidate candidate : good) {
                if (candidate.step() >= n) {
                    firsts.merge(
                            candidate.step() / n, candidate, (old, next) -> next.step() <= old.step() ? next : old);
                }
            }
            return List.copyOf(firsts.values());
        }
    }

    /// Keeps the oldest checkpoint, then each that is at least this much newer than the one kept before. If a clock
    /// went backwards, the count starts again: this keeps one checkpoint more, never too few.
    record EveryDuration(Duration interval) implements RetentionPolicy {
        public EveryDuration {
            requirePositive("every", interval);
        }

        @Override
        public String text() {
            return "every:" + Spans.text(interval);
        }

        @Override
        public List<Candidate> choose(List<Candidate> good, Instant now, SortedSet<Long> others) {
            var chosen = new ArrayList<Candidate>();
            @Nullable Candidate last = null;
            for (Candidate candidate : good) {
                if (last == null
                        || candidate.time().isBefore(last.time())
                        || Duration.between(last.time(), candidate.time()).compareTo(interval) >= 0) {
                    chosen.add(candidate);
                    last = candidate;
                }
            }
            return chosen;
        }
    }

    /// Keeps the n best checkpoints by the first of these metrics that any checkpoint has. Of checkpoints with the
    /// same value only the oldest counts, because a value is copied until it is measured again. A checkpoint with
    /// no value or NaN is never among the best.
    ///
    /// If the user named a metric that no checkpoint has, perhaps by mistake, all checkpoints stay, because they
    /// cannot be compared.
    record BestN(int n, List<Metric> metrics) implements RetentionPolicy {
        public BestN {
            requirePositive("best", n);
            metrics = List.copyOf(metrics);
            if (metrics.isEmpty()) {
                throw new IllegalArgumentException("best needs a metric");
            }
        }

        /// Keeps the n best by [Metric#USUAL].
        public BestN(int n) {
            this(n, Metric.USUAL);
        }

        /// Keeps the n best by this metric.
        public BestN(int n, Metric metric) {
            this(n, List.of(metric));
        }

        @Override
        public String text() {
            if (metrics.equals(Metric.USUAL)) {
                return "best:" + n;
            }
            Metric metric = metrics.getFirst();
            return "best:" + n + "@" + metric.name()
                    + (metric.equals(Metric.named(metric.name()))
                            ? ""
                            : ":" + metric.direction().text());
        }

        @Override
        public List<Candidate> choose(List<Candidate> good, Instant now, SortedSet<Long> others) {
            for (Metric metric : metrics) {
                var chosen = new ArrayList<Candidate>();
                double before = Double.NaN;
                for (Candidate candidate : Metric.bestFirst(good, List.of(metric))) {
                    double value = metric.of(candidate);
                    if (value != before && chosen.size() < n) {
                        chosen.add(candidate);
                    }
                    before = value;
                }
                if (!chosen.isEmpty()) {
                    return chosen;
                }
            }
            return metrics.equals(Metric.USUAL) ? List.of() : good;
        }
    }

    /// Keeps the checkpoints that are not older than this by the wall clock. A checkpoint with a time in the future
    /// counts as new.
    record NewerThan(Duration age) implements RetentionPolicy {
        public NewerThan {
            requirePositive("newer", age);
        }

        @Override
        public String text() {
            return "newer:" + Spans.text(age);
        }

        @Override
        public List<Candidate> choose(List<Candidate> good, Instant now, SortedSet<Long> others) {
            return good.stream()
                    .filter(candidate -> Duration.between(candidate.time(), now).compareTo(age) <= 0)
                    .toList();
        }
    }

    /// Keeps the newest checkpoints that no other policy keeps, until n are kept in total.
    record AtLeastN(int n) implements RetentionPolicy {
        public AtLeastN {
            requirePositive("atleast", n);
        }

        @Override
        public String text() {
            return "atleast:" + n;
        }

        @Override
        public List<Candidate> choose(List<Candidate> good, Instant now, SortedSet<Long> others) {
            return good.reversed().stream()
                    .filter(candidate -> !others.contains(candidate.number()))
                    .limit(Math.max(0, n - others.size()))
                    .toList();
        }
    }

    private static void requirePositive(String policy, long n) {
        if (n < 1) {
            throw new IllegalArgumentException(policy + " needs a number of at least 1, not " + n);
        }
    }

    private static void requirePositive(String policy, Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException(policy + " needs a time longer than zero, not " + time);
        }
    }
}
