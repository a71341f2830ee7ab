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
public record TrainingSettings(
        String workload,
        String data,
        String engine,
        OptimizerSpec optimizer,
        int batch,
        long seed,
        int threads,
        long steps) {
    /// How often the test split is scored; part of the run, because the best score so far is.
    public static final int EVALUATE_EVERY = 100;

    public static final long DEFAULT_STEPS = 1000;
    private static final int LARGEST_BATCH = 4096;
    private static final double LARGEST_RATE = 1e30;

    public TrainingSettings {
        require(batch >= 1 && batch <= LARGEST_BATCH, "--batch must be from 1 to %d, not %d", LARGEST_BATCH, batch);
        require(threads >= 1 && threads <= 1024, "--threads must be from 1 to %d, not %d", 1024, threads);
        require(steps >= 1, "--steps must be at least %d, not %d", 1, steps);
        require(
                optimizer.rate() > 0 && optimizer.rate() <= LARGEST_RATE,
                "--rate must be a positive number up to %s, not %s",
                LARGEST_RATE,
                optimizer.rate());
    }

    /// A request was refused; the message names the option, and what would do.
    public static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1;

        RefusedException(String message) {
            super(message);
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
        TrainingSettings settings = settings(request, stored, Conflict.REFUSED);
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
        return new Resolved(settings(request, origin, Conflict.ASKED), List.of());
    }

    private static TrainingSettings settings(TrainingRequest request, Attributes stored, Conflict conflict)
            throws RefusedException {
        var choice = new Choice(stored, conflict);
        String workload = choice.text("workload", request.workload(), request.workload());
        String data = choice.text("data", request.data(), "digits");
        String engine = choice.text("engine", request.engine(), "torch");
        String optimizer = choice.text("optimizer", request.optimizer(), "momentum");
        // Another optimizer's rate is no good guess for this one.
        boolean rateFits = stored.text("optimizer").orElse(optimizer).equals(optimizer);
        double rate = (rateFits ? choice : new Choice(Attributes.empty(), conflict))
                .number("rate", request.rate(), OptimizerSpec.usualRate(optimizer));
        int batch = Math.clamp(choice.integer("batch", toLong(request.batch()), 64), -1, Integer.MAX_VALUE);
        long seed = choice.integer("seed", request.seed(), 1);
        long storedThreads =
                stored.integer("threads").orElse((long) Runtime.getRuntime().availableProcessors());
        int threads = request.threads() != null ? request.threads() : Math.clamp(storedThreads, -1, Integer.MAX_VALUE);
        long steps = request.steps() != null
                ? request.steps()
                : stored.integer("steps").orElse(DEFAULT_STEPS);
        try {
            return new TrainingSettings(
                    workload, data, engine, OptimizerSpec.of(optimizer, rate), batch, seed, threads, steps);
        } catch (IllegalArgumentException e) {
            throw new RefusedException(Objects.requireNonNullElse(e.getMessage(), "bad settings"));
        }
    }

    Attributes addTo(Attributes attributes) {
        return attributes
                .with("workload", workload)
                .with("data", data)
                .with("engine", engine)
                .with("optimizer", optimizer.name())
                .with("rate", optimizer.rate())
                .with("batch", batch)
                .with("seed", seed)
                .with("threads", threads)
                .with("steps", steps);
    }

    private static @Nullable Long toLong(@Nullable Integer value) {
        return value == null ? null : value.longValue();
    }

    private static void require(boolean holds, String message, Object limit, Object value) {
        if (!holds) {
            throw new IllegalArgumentException(message.formatted(limit, value));
        }
    }

    /// What holds where a run has one setting and another is asked for.
    private enum Conflict {
        REFUSED,
        ASKED
    }

    /// One setting at a time: what the run has, else what was asked for, else the default; where the first two
    /// differ the
    /// conflict decides.
    private record Choice(Attributes stored, Conflict conflict) {
        String text(String name, @Nullable String asked, String otherwise) throws RefusedException {
            return choose(name, stored.text(name), asked, otherwise);
        }

        long integer(String name, @Nullable Long asked, long otherwise) throws RefusedException {
            return choose(name, stored.integer(name), asked, otherwise);
        }

        double number(String name, @Nullable Double asked, double otherwise) throws RefusedException {
            return choose(name, stored.number(name), asked, otherwise);
        }

        private <T> T choose(String name, Optional<T> found, @Nullable T asked, T otherwise) throws RefusedException {
            if (found.isEmpty() || asked == null || found.get().equals(asked)) {
                return found.orElse(asked != null ? asked : otherwise);
            }
            return switch (conflict) {
                case ASKED -> asked;
                case REFUSED ->
                    throw new RefusedException(
                            ("this run has %s=%s, not %s; leave the option out to go on with it, choose another --run, or "
                                            + "fork it with --from")
                                    .formatted(name, found.get(), asked));
            };
        }
    }
}
