package dev.cairn.store.retention;

import dev.cairn.store.retention.RetentionPolicy.AtLeastN;
import dev.cairn.store.retention.RetentionPolicy.BestN;
import dev.cairn.store.retention.RetentionPolicy.EveryDuration;
import dev.cairn.store.retention.RetentionPolicy.LatestN;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// The rule that says which checkpoints a run keeps: every checkpoint that any of these policies keeps, and always
/// the newest good one.
public record Retention(List<RetentionPolicy> policies) {
    public Retention {
        policies = List.copyOf(policies);
        if (policies.isEmpty()) {
            throw new IllegalArgumentException("no policy says what to keep; use 'all' to keep everything");
        }
    }

    /// Combines these policies: a checkpoint stays if any of them keeps it.
    public static Retention of(RetentionPolicy... policies) {
        return new Retention(List.of(policies));
    }

    /// The default: the latest 5, one per hour, and the best: `latest:5,every:1h,best:1`.
    public static Retention usual() {
        return of(new LatestN(5), new EveryDuration(Duration.ofHours(1)), new BestN(1));
    }

    /// Parses policies separated by commas: `latest:5`, `every:1000` (steps), `every:1h`, `best:1`,
    /// `best:3@loss`, `best:3@score:min`, `newer:2d`, `atleast:3`, `all`.
    ///
    /// @throws IllegalArgumentException if the text is not valid; the message says what is valid
    public static Retention parse(String text) {
        return RetentionText.parse(text);
    }

    /// The text form, which [#parse] accepts.
    public String text() {
        return policies.stream().map(RetentionPolicy::text).collect(Collectors.joining(","));
    }

    /// The numbers of the checkpoints to keep, without the parents that they need.
    ///
    /// They include the newest good checkpoint and all newer ones: a newer checkpoint that is damaged may still be
    /// repaired from a copy. If no checkpoint is good, all are kept.
    ///
    /// @param candidates all checkpoints of the run, in any order
    public SortedSet<Long> keep(Collection<Candidate> candidates, Instant now) {
        List<Candidate> good = candidates.stream()
                .filter(candidate -> !candidate.damaged())
                .sorted(Comparator.comparingLong(Candidate::number))
                .toList();
        long newestGood = good.isEmpty() ? Long.MIN_VALUE : good.getLast().number();
        var kept = new TreeSet<Long>();
        for (Candidate candidate : candidates) {
            if (candidate.number() >= newestGood) {
                kept.add(candidate.number());
            }
        }
        var keptGood = new TreeSet<Long>();
        if (!good.isEmpty()) {
            keptGood.add(newestGood);
        }
        for (RetentionPolicy policy : atLeastLast()) {
            policy.choose(good, now, keptGood).forEach(candidate -> keptGood.add(candidate.number()));
        }
        kept.addAll(keptGood);
        return kept;
    }

    private List<RetentionPolicy> atLeastLast() {
        return policies.stream()
                .sorted(Comparator.comparing(AtLeastN.class::isInstance))
                .toList();
    }
}
