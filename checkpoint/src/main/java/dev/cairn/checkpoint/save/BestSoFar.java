package dev.cairn.checkpoint.save;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.SaveStatistics;
import dev.cairn.store.Attributes;
import dev.cairn.store.Clock;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.retention.Candidate;
import dev.cairn.store.retention.RetentionPolicy.BestN;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// Decides which steps would be among the best that retention keeps if they were saved, and how long the training may
/// wait for such a save. It stores only those best checkpoints. Used by the training thread and the saving thread.
public final class BestSoFar {
    private final List<BestN> policies;
    private final StallBudget budget;
    private final Clock time;
    private final long openedNanos;
    private List<Candidate> best = List.of();
    private boolean missed;

    public BestSoFar(CheckpointOptions options) {
        this.policies = options.retention().policies().stream()
                .filter(BestN.class::isInstance)
                .map(BestN.class::cast)
                .toList();
        this.budget = StallBudget.of(options.policy());
        this.time = options.environment().time();
        this.openedNanos = time.nanos();
    }

    /// Whether retention keeps any best checkpoints.
    public boolean isAsked() {
        return !policies.isEmpty();
    }

    /// Starts with the checkpoints of the run.
    public synchronized void startWith(Collection<Commit> checkpoints) {
        best = chosen(checkpoints.stream().map(Candidate::good).toList());
    }

    /// Adds a saved checkpoint.
    synchronized void saved(Commit checkpoint) {
        best = chosen(with(Candidate.good(checkpoint)));
    }

    /// Whether a step with these attributes would be among the best if it were saved.
    public synchronized boolean wants(long step, Attributes attributes) {
        var candidate = new Candidate(Long.MAX_VALUE, step, time.now(), attributes, false);
        return chosen(with(candidate)).contains(candidate);
    }

    /// How long the training may wait before a save of such a step, if the save takes as long as the others did;
    /// negative if there is no time for one.
    public Duration patience(SaveStatistics saves) {
        Duration next = saves.stall().dividedBy(Math.max(1, saves.committed()));
        return budget.left(Duration.ofNanos(time.nanos() - openedNanos), saves.stall(), next);
    }

    /// Notes that such a step is not saved. Returns the event to report, the first time only.
    public synchronized Optional<CheckpointEvent> missed(long step) {
        boolean told = missed;
        missed = true;
        return told ? Optional.empty() : Optional.of(new CheckpointEvent.BestNotSaved(step, budget.share()));
    }

    private List<Candidate> with(Candidate newest) {
        var all = new ArrayList<>(best);
        all.removeIf(each -> each.number() == newest.number()); // merged: the same checkpoint in another form
        all.add(newest);
        return all;
    }

    private List<Candidate> chosen(List<Candidate> candidates) {
        List<Candidate> ordered = candidates.stream()
                .sorted(Comparator.comparingLong(Candidate::number))
                .toList();
        var chosen = new TreeMap<Long, Candidate>();
        for (BestN policy : policies) {
            for (Candidate each : policy.choose(ordered, Instant.EPOCH, new TreeSet<>())) {
                chosen.put(each.number(), each);
            }
        }
        return List.copyOf(chosen.values());
    }
}
