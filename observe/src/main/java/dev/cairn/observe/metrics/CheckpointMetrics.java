package dev.cairn.observe.metrics;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CopyLag;
import dev.cairn.checkpoint.save.SaveHistory;
import dev.cairn.observe.metrics.Meters.Level;
import dev.cairn.store.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/// Meters of the checkpoints of a run.
final class CheckpointMetrics implements CheckpointEvent.Listener {
    /// How a save ended.
    private enum Outcome {
        COMMITTED,
        FAILED,
        SKIPPED,
        ABORTED
    }

    /// What is wrong, or was.
    private enum Problem {
        HEALED,
        REWRITTEN,
        DAMAGE_FOUND,
        CHAIN_IN_DOUBT,
        PASSED_OVER,
        TOO_COARSE,
        HOUSEKEEPING_FAILED,
        SCRUB_FAILED,
        COPY_FAILED
    }

    private final Clock clock;
    private final AtomicLong count = new AtomicLong();
    private final Level checkpoints;
    private final Level lastStep;
    private final Level lastTime;
    private final Level lastBytes;
    private final Level lastFullBytes;
    private final Level interval;
    private final Level copyCheckpoints;
    private final Level copyLag;
    private final Map<Outcome, Counter> saves = new EnumMap<>(Outcome.class);
    private final Map<Problem, Counter> problems = new EnumMap<>(Problem.class);
    private final Counter written;
    private final Counter pruned;
    private final Timer stall;
    private final Timer persist;
    private final Timer merges;
    private final Timer restores;

    CheckpointMetrics(Meters meters, Clock clock) {
        this.clock = clock;
        this.checkpoints = meters.level("cairn.checkpoints", null, "Checkpoints in the run");
        this.lastStep = meters.level("cairn.checkpoint.last.step", null, "The step of the newest checkpoint");
        this.lastTime = meters.level(
                "cairn.checkpoint.last.time", Meters.SECONDS, "When the newest checkpoint was committed, since 1970");
        this.lastBytes =
                meters.level("cairn.checkpoint.last", Meters.BYTES, "Size of the newest checkpoint in storage");
        this.lastFullBytes =
                meters.level("cairn.checkpoint.last.full", Meters.BYTES, "Size of the newest checkpoint in memory");
        this.interval = meters.level(
                "cairn.checkpoint.interval", Meters.SECONDS, "The save interval that wastes the least time");
        this.copyCheckpoints =
                meters.level("cairn.copy.lag.checkpoints", null, "Checkpoints that the copy does not have yet");
        this.copyLag = meters.level("cairn.copy.lag", Meters.SECONDS, "How far the copy is behind");
        for (Outcome outcome : Outcome.values()) {
            saves.put(
                    outcome,
                    meters.counter(
                            "cairn.checkpoint.saves", null, "Saves, by how they ended", "outcome", label(outcome)));
        }
        for (Problem problem : Problem.values()) {
            problems.put(
                    problem,
                    meters.counter("cairn.checkpoint.problems", null, "Damage and failures", "kind", label(problem)));
        }
        this.written = meters.counter("cairn.checkpoint.written", Meters.BYTES, "Bytes of checkpoints written");
        this.pruned = meters.counter("cairn.checkpoint.pruned", null, "Checkpoints removed by retention");
        this.stall = meters.timer("cairn.checkpoint.stall", "How long the training waited for a save");
        this.persist = meters.timer("cairn.checkpoint.persist", "How long a save took in the background");
        this.merges = meters.timer("cairn.checkpoint.merge", "How long a chain took to merge");
        this.restores = meters.timer("cairn.checkpoint.restore", "How long a restore took");
    }

    /// @param present the number of checkpoints in the run
    void began(long present) {
        count.set(present);
        checkpoints.set(present);
    }

    @Override
    public void on(CheckpointEvent event) {
        switch (event) {
            case CheckpointEvent.Committed committed -> committed(committed);
            case CheckpointEvent.SaveFailed _ -> ended(Outcome.FAILED);
            case CheckpointEvent.SaveSkipped _ -> ended(Outcome.SKIPPED);
            case CheckpointEvent.SaveAborted _ -> ended(Outcome.ABORTED);
            case CheckpointEvent.Merged merged -> merges.record(merged.time());
            case CheckpointEvent.Pruned gone -> {
                pruned.increment(gone.checkpoints().size());
                checkpoints.set(count.addAndGet(-gone.checkpoints().size()));
            }
            case CheckpointEvent.Restored restored -> restores.record(restored.time());
            case CheckpointEvent.Forked forked -> restores.record(forked.time());
            case CheckpointEvent.Healed _ -> met(Problem.HEALED);
            case CheckpointEvent.Rewritten _ -> met(Problem.REWRITTEN);
            case CheckpointEvent.DamageFound _ -> met(Problem.DAMAGE_FOUND);
            case CheckpointEvent.ChainInDoubt _ -> met(Problem.CHAIN_IN_DOUBT);
            case CheckpointEvent.PassedOver _, CheckpointEvent.CopyPassedOver _ -> met(Problem.PASSED_OVER);
            case CheckpointEvent.TooCoarse _ -> met(Problem.TOO_COARSE);
            case CheckpointEvent.HousekeepingFailed _ -> met(Problem.HOUSEKEEPING_FAILED);
            case CheckpointEvent.ScrubFailed _ -> met(Problem.SCRUB_FAILED);
            case CheckpointEvent.CopyFailed failed -> {
                met(Problem.COPY_FAILED);
                lag(failed.lag());
            }
            case CheckpointEvent.Copied copied -> lag(copied.lag());
            case CheckpointEvent.BestNotSaved _,
                    CheckpointEvent.RestoredInPart _,
                    CheckpointEvent.CopyAhead _,
                    CheckpointEvent.Fetched _ -> {
                // No meter counts them.
            }
        }
    }

    private void committed(CheckpointEvent.Committed committed) {
        ended(Outcome.COMMITTED);
        checkpoints.set(count.incrementAndGet());
        lastStep.set(committed.checkpoint().step());
        lastTime.set(clock.now().toEpochMilli() / 1e3);
        lastBytes.set(committed.checkpoint().storedBytes());
        lastFullBytes.set(committed.checkpoint().fullBytes());
        written.increment((double) committed.checkpoint().storedBytes());
        stall.record(committed.stall());
        persist.record(committed.persist());
        SaveHistory.read(committed.checkpoint().attributes())
                .ifPresent(history -> interval.set(history.decision().interval()));
    }

    private void lag(CopyLag lag) {
        copyCheckpoints.set(lag.checkpoints());
        copyLag.set(lag.time().toNanos() / 1e9);
    }

    private void ended(Outcome outcome) {
        Objects.requireNonNull(saves.get(outcome)).increment();
    }

    private void met(Problem problem) {
        Objects.requireNonNull(problems.get(problem)).increment();
    }

    /// `DAMAGE_FOUND` is `damageFound`, as in recorded events.
    private static String label(Enum<?> value) {
        String[] words = value.name().toLowerCase(Locale.ROOT).split("_", -1);
        return Arrays.stream(words, 1, words.length)
                .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
                .reduce(words[0], String::concat);
    }
}
