package dev.cairn.train;

import dev.cairn.engine.OptimizerSpec;
import dev.cairn.store.Attributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// All that decides a run's numbers. They are saved with every checkpoint: a run goes on with the settings it began
/// with, and a request that contradicts them is refused.
///
/// @param evaluateEvery how often the test split is scored; part of the run, because the best score so far is
public record TrainingSettings(
        Workload workload,
        String data,
        String engine,
        ModelSettings model,
        OptimizerSpec optimizer,
        double rate,
        RateSchedule schedule,
        int batch,
        long seed,
        int threads,
        long steps,
        int evaluateEvery) {
    public static final long DEFAULT_STEPS = 1000;
    public static final int DEFAULT_EVALUATE_EVERY = 100;
    private static final int LARGEST_BATCH = 4096;
    private static final double LARGEST_RATE = 1e30;

    public TrainingSettings {
        workload.check(data);
        require(batch >= 1 && batch <= LARGEST_BATCH, "--batch must be from 1 to %d, not %d", LARGEST_BATCH, batch);
        require(threads >= 1 && threads <= 1024, "--threads must be from 1 to %d, not %d", 1024, threads);
        require(steps >= 1, "--steps must be at least %d, not %d", 1, steps);
        require(evaluateEvery >= 1, "--eval-every must be at least %d, not %d", 1, evaluateEvery);
        require(
                rate > 0 && rate <= LARGEST_RATE,
                "--rate must be a positive number up to %s, not %s",
                LARGEST_RATE,
                rate);
    }

    /// A request was refused; the message names the option, and what would do.
    public static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1;

        private final @Nullable String difference;

        RefusedException(String message) {
            this(message, null);
        }

        private RefusedException(String message, @Nullable String difference) {
            super(message);
            this.difference = difference;
        }

        /// The run has another setting than was asked for.
        ///
        /// @param difference the setting as the run has it, and as it was asked for
        static RefusedException of(String difference) {
            return new RefusedException(
                    "this run has " + difference
                            + "; go on with it as it is, choose another --run, or fork it with --from",
                    difference);
        }

        /// The setting that the run has otherwise than asked; empty if that is not why it was refused.
        public Optional<String> difference() {
            return Optional.ofNullable(difference);
        }
    }

    /// The settings and what the user should know about them.
    public record Resolved(TrainingSettings settings, List<String> warnings) {
        public Resolved {
            warnings = List.copyOf(warnings);
        }
    }

    /// Fills what the request left open from the run, or from the defaults where there is no run yet.
    public static Resolved resolve(TrainingRequest request, Optional<Attributes> run) throws RefusedException {
        Attributes stored = run.orElse(Attributes.empty());
        TrainingSettings settings = settings(request, stored, SettingChoice.Conflict.REFUSED);
        var warnings = new ArrayList<String>();
        long storedThreads = stored.integer("threads").orElse((long) settings.threads());
        if (settings.threads() != storedThreads) {
            warnings.add(
                    "threads=%d, but the run began with threads=%d: the final bits may differ from those of an undisturbed run"
                            .formatted(settings.threads(), storedThreads));
        }
        return new Resolved(settings, warnings);
    }

    /// Fills what the request left open from the run that is forked; what it asks for is the fork's own.
    public static Resolved resolveFork(TrainingRequest request, Attributes origin) throws RefusedException {
        return new Resolved(settings(request, origin, SettingChoice.Conflict.ASKED), List.of());
    }

    private static TrainingSettings settings(
            TrainingRequest request, Attributes stored, SettingChoice.Conflict conflict) throws RefusedException {
        var choice = new SettingChoice(request, stored, conflict);
        try {
            Workload workload = Workload.named(choice.workload());
            if (request.asked().containsKey("rank") && workload != Workload.MF) {
                throw new RefusedException("--rank is an option of mf, not of " + workload.label());
            }
            if (request.asked().containsKey("activation") && workload != Workload.LENET) {
                throw new RefusedException("--activation is an option of lenet, not of " + workload.label());
            }
            String optimizer = choice.text("optimizer", workload.usualOptimizer());
            // Another optimizer's rate is no good guess for this one.
            boolean sameOptimizer = stored.text("optimizer").orElse(optimizer).equals(optimizer);
            double rate = (sameOptimizer ? choice : choice.withoutRun()).number("rate", workload.usualRate(optimizer));
            OptimizerSpec spec = OptimizerSpec.of(optimizer)
                    .withWeightDecay(choice.number("weightDecay", workload.usualWeightDecay()))
                    .withClipNorm(choice.number("clip", 0));
            return new TrainingSettings(
                    workload,
                    choice.text("data", workload.usualData()),
                    choice.text("engine", "torch"),
                    new ModelSettings(
                            choice.text("activation", ModelSettings.USUAL.activation()),
                            choice.count("rank", ModelSettings.USUAL.rank())),
                    spec,
                    rate,
                    RateSchedule.parse(choice.text("schedule", "constant")),
                    choice.count("batch", workload.usualBatch()),
                    choice.integer("seed", 1),
                    choice.asked().count("threads", workload.usualThreads()),
                    choice.asked().integer("steps", DEFAULT_STEPS),
                    choice.count("evaluateEvery", DEFAULT_EVALUATE_EVERY));
        } catch (IllegalArgumentException e) {
            throw new RefusedException(Objects.requireNonNullElse(e.getMessage(), "bad settings"));
        }
    }

    Attributes addTo(Attributes attributes) {
        return attributes
                .with("workload", workload.label())
                .with("data", data)
                .with("engine", engine)
                .with("activation", model.activation())
                .with("rank", model.rank())
                .with("optimizer", optimizer.name())
                .with("weightDecay", optimizer.weightDecay())
                .with("clip", optimizer.clipNorm())
                .with("rate", rate)
                .with("schedule", schedule.text())
                .with("batch", batch)
                .with("seed", seed)
                .with("threads", threads)
                .with("steps", steps)
                .with("evaluateEvery", evaluateEvery);
    }

    private static void require(boolean holds, String message, Object limit, Object value) {
        if (!holds) {
            throw new IllegalArgumentException(message.formatted(limit, value));
        }
    }
}
