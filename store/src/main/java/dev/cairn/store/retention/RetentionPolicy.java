package dev.cairn.store.retention;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One reason to keep a checkpoint. Pure: the answer depends on the question alone, and what was kept once is
/// kept when asked again after the rest is gone, unless something newer takes its place.
public sealed interface RetentionPolicy {
    /// The form that [Retention#parse] reads.
    String text();

    /// Which of these to keep.
    ///
    /// @param good checkpoints that can be restored, oldest first
    /// @param others the numbers that the other policies keep; those of [AtLeastN] are asked last
    List<Candidate> choose(List<Candidate> good, Instant now, SortedSet<Long> others);

    /// Every checkpoint.
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

    /// The newest n.
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

    /// The first at or after every n-th step: step n itself where it was saved, and so on. Of a step that was
    /// saved twice, by a run that went back, the newer.
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

    /// The oldest, then each that is this much younger than the one kept before. Where a clock went backwards
    /// the count begins again: one more is kept, never too few.
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

    /// The n best by the first of these metrics that any checkpoint has. Of those with the same value only the
    /// oldest counts: a value is carried on until it is measured again. No value, or NaN: never among the best.
    ///
    /// Where somebody named a metric that no checkpoint has, perhaps by a slip, all stay: nothing can be judged
    /// by it.
    record BestN(int n, List<Metric> metrics) implements RetentionPolicy {
        public BestN {
            requirePositive("best", n);
            metrics = List.copyOf(metrics);
            if (metrics.isEmpty()) {
                throw new IllegalArgumentException("best needs a metric");
            }
        }

        /// The n best by [Metric#USUAL].
        public BestN(int n) {
            this(n, Metric.USUAL);
        }

        /// The n best by this metric.
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

    /// Those not older than this by the wall clock; what lies in the future of a clock that went back is not
    /// old.
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

    /// The newest of those that no other policy keeps, until there are n in all.
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
            throw new IllegalArgumentException(policy + " takes a number from 1 on, not " + n);
        }
    }

    private static void requirePositive(String policy, Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException(policy + " takes a time longer than nothing, not " + time);
        }
    }
}
