package dev.cairn.train;

import dev.cairn.engine.InvalidSettingException;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.store.Attributes;
import dev.cairn.train.batch.Epochs;
import dev.cairn.train.batch.ExampleOrder;
import dev.cairn.train.batch.WholeBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// All settings that decide the numbers of a run. Every checkpoint stores them. A run continues with the settings
/// that it started with. A request for other settings is refused.
///
/// @param batch the size of the batch as it was asked for: of all workers together, or of each
/// @param wholeBatch the size of the batch of all workers together; it never changes in a run
/// @param order the order of the examples
/// @param workers the number of processes that train together
/// @param mode how they do that
/// @param aggregate the number of workers whose gradients an update waits for; 0 for all
/// @param steps the last step
/// @param epochs the epochs, if the training is counted in them; they decide the steps
/// @param evaluateEvery the number of steps between two scores of the test split; a setting of the run, because
///     the best score so far depends on it
public record TrainingSettings(
        Workload workload,
        String data,
        String engine,
        ModelSettings model,
        OptimizerSpec optimizer,
        double rate,
        RateSchedule schedule,
        int batch,
        int wholeBatch,
        ExampleOrder order,
        long seed,
        int threads,
        int workers,
        Mode mode,
        int aggregate,
        long steps,
        Epochs epochs,
        int evaluateEvery) {
    public static final long DEFAULT_STEPS = 1000;
    public static final int DEFAULT_EVALUATE_EVERY = 100;
    private static final int LARGEST_BATCH = 4096;
    private static final int MOST_THREADS = 1024;
    private static final int MOST_WORKERS = 64;
    private static final double LARGEST_RATE = 1e30;

    public TrainingSettings {
        workload.check(data);
        require(batch >= 1 && batch <= LARGEST_BATCH, "batch", "must be from 1 to " + LARGEST_BATCH, batch);
        require(
                wholeBatch >= 1 && wholeBatch <= LARGEST_BATCH * MOST_WORKERS,
                "batch",
                "must be from 1 to " + LARGEST_BATCH + " for each worker",
                wholeBatch);
        require(threads >= 1 && threads <= MOST_THREADS, "threads", "must be from 1 to " + MOST_THREADS, threads);
        require(workers >= 1 && workers <= MOST_WORKERS, "workers", "must be from 1 to " + MOST_WORKERS, workers);
        require(
                aggregate >= 0 && aggregate <= workers,
                "aggregate",
                "must be from 1 to the number of workers",
                aggregate);
        require(steps >= 1, "steps", "must be at least 1", steps);
        require(evaluateEvery >= 1, "evaluateEvery", "must be at least 1", evaluateEvery);
        require(rate > 0 && rate <= LARGEST_RATE, "rate", "must be a positive number up to 1e30", rate);
    }

    /// How processes train together.
    public enum Mode {
        /// One process.
        SINGLE("single"),
        /// All have the whole state, and add up their gradients.
        ALLREDUCE("allreduce"),
        /// A server has the state. An update waits for the gradients of the workers.
        PS_SYNC("ps-sync"),
        /// A server has the state. Each gradient of a worker makes an update of its own.
        PS_ASYNC("ps-async");

        private final String label;

        Mode(String label) {
            this.label = label;
        }

        /// The name for users.
        public String label() {
            return label;
        }

        /// Whether the state is in a server.
        public boolean isServed() {
            return this == PS_SYNC || this == PS_ASYNC;
        }

        /// The names of all modes.
        public static List<String> labels() {
            return Stream.of(values()).map(Mode::label).toList();
        }

        static Mode named(String label) {
            return Stream.of(values())
                    .filter(mode -> mode.label.equals(label))
                    .findFirst()
                    .orElseThrow(() -> new InvalidSettingException("mode", "there is no mode '%s'".formatted(label)));
        }
    }

    /// The size of the batch of one update.
    public int updateBatch() {
        return mode == Mode.PS_ASYNC ? batch : wholeBatch;
    }

    /// These settings for data with this many examples: with the number of steps of the epochs.
    TrainingSettings ofData(int examples) {
        if (!epochs.isSet()) {
            return this;
        }
        Epochs counted = epochs.ofData(examples, updateBatch());
        return new TrainingSettings(
                workload,
                data,
                engine,
                model,
                optimizer,
                rate,
                schedule,
                batch,
                wholeBatch,
                order,
                seed,
                threads,
                workers,
                mode,
                aggregate,
                counted.allSteps(),
                counted,
                evaluateEvery);
    }

    /// The number of workers whose gradients an update waits for.
    public int fresh() {
        return aggregate == 0 ? workers : aggregate;
    }

    /// Thrown if a request is refused. The run has another setting, or the cause says which setting is invalid.
    public static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1;

        private final @Nullable String difference;

        /// A setting is invalid.
        RefusedException(IllegalArgumentException cause) {
            super(cause.getMessage(), cause);
            this.difference = null;
        }

        /// The run has another setting than the request.
        ///
        /// @param difference the value that the run has, and the requested value
        RefusedException(String difference) {
            super("this run has " + difference + "; continue with its settings, start another run, or fork this one");
            this.difference = difference;
        }

        /// The setting that differs between the run and the request; empty if a setting is invalid.
        public Optional<String> difference() {
            return Optional.ofNullable(difference);
        }
    }

    /// The settings, and warnings for the user.
    public record Resolved(TrainingSettings settings, List<String> warnings) {
        public Resolved {
            warnings = List.copyOf(warnings);
        }
    }

    /// Completes the request with the settings of the run, or with the defaults if there is no run yet.
    public static Resolved resolve(TrainingRequest request, Optional<Attributes> run) throws RefusedException {
        Attributes stored = run.orElse(Attributes.empty());
        TrainingSettings settings = settings(request, stored, SettingChoice.Conflict.REFUSED);
        var warnings = new ArrayList<String>();
        warnIfOther("threads", settings.threads(), stored, warnings);
        warnIfOther("workers", settings.workers(), stored, warnings);
        String mode = settings.mode().label();
        String before = run.isEmpty()
                ? mode
                : stored.text("mode").orElse(usualMode(stored).label());
        if (!mode.equals(before)) {
            warnings.add(
                    "mode=%s, but the run started with mode=%s: the final bits differ from those of an undisturbed run"
                            .formatted(mode, before));
        } else if (settings.mode().isServed()) {
            warnIfOther("aggregate", settings.fresh(), stored, warnings);
        }
        if (settings.mode() != Mode.PS_ASYNC) {
            wholeBatch(request, stored, SettingChoice.Conflict.REFUSED, settings.mode())
                    .warning(settings.wholeBatch(), settings.batch(), settings.workers())
                    .ifPresent(warnings::add);
        }
        return new Resolved(settings, warnings);
    }

    private static void warnIfOther(String name, int now, Attributes stored, List<String> warnings) {
        long before = stored.integer(name).orElse((long) now);
        if (now != before) {
            warnings.add(
                    "%s=%d, but the run started with %s=%d: the final bits may differ from those of an undisturbed run"
                            .formatted(name, now, name, before));
        }
    }

    /// Completes the request with the settings of the run that is forked. Requested settings replace its settings.
    public static Resolved resolveFork(TrainingRequest request, Attributes origin) throws RefusedException {
        return new Resolved(settings(request, origin, SettingChoice.Conflict.ASKED), List.of());
    }

    private static TrainingSettings settings(
            TrainingRequest request, Attributes stored, SettingChoice.Conflict conflict) throws RefusedException {
        var choice = new SettingChoice(request, stored, conflict);
        try {
            Workload workload = Workload.named(choice.workload());
            requireFor(Workload.MF, workload, request, "rank");
            requireFor(Workload.LENET, workload, request, "activation");
            String optimizer = choice.text("optimizer", workload.usualOptimizer());
            // The rate of one optimizer does not suit another.
            boolean sameOptimizer = stored.text("optimizer").orElse(optimizer).equals(optimizer);
            double rate = (sameOptimizer ? choice : choice.withoutRun()).number("rate", workload.usualRate(optimizer));
            OptimizerSpec spec = OptimizerSpec.of(optimizer)
                    .withWeightDecay(choice.number("weightDecay", workload.usualWeightDecay()))
                    .withClipNorm(choice.number("clip", 0));
            int workers = choice.withoutRun().count("workers", 1); // a start without them has one
            Mode mode = Mode.named(
                    choice.withoutRun().text("mode", usualMode(workers).label()));
            int batch = choice.count("batch", workload.usualBatch());
            Epochs epochs = epochs(choice, request);
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
                    batch,
                    wholeBatch(request, stored, conflict, mode).of(batch, workers),
                    ExampleOrder.of(
                            choice.text("dataOrder", ExampleOrder.GLOBAL.label()),
                            choice.count("shuffle", ExampleOrder.USUAL_SHUFFLE)),
                    choice.integer("seed", 1),
                    choice.asked().count("threads", Math.max(1, workload.usualThreads() / Math.max(1, workers))),
                    workers,
                    mode,
                    choice.withoutRun().count("aggregate", 0),
                    choice.asked().integer("steps", DEFAULT_STEPS),
                    epochs,
                    choice.count("evaluateEvery", DEFAULT_EVALUATE_EVERY));
        } catch (IllegalArgumentException e) {
            throw new RefusedException(e);
        }
    }

    /// A fork for which a batch is asked decides anew.
    private static WholeBatch wholeBatch(
            TrainingRequest request, Attributes stored, SettingChoice.Conflict conflict, Mode mode) {
        boolean anew =
                conflict == SettingChoice.Conflict.ASKED && request.asked().containsKey("batch");
        boolean perWorker = mode.isServed() || request.asked().containsKey("batchPerWorker");
        return new WholeBatch(anew ? Optional.empty() : stored.integer(WholeBatch.ATTRIBUTE), perWorker);
    }

    /// A request for a number of steps replaces the epochs of the run.
    private static Epochs epochs(SettingChoice choice, TrainingRequest request) throws RefusedException {
        return request.asked().containsKey("steps") && !request.asked().containsKey("epochs")
                ? Epochs.NONE
                : new Epochs(choice.asked().count("epochs", 0), choice.asked().count("stepsPerEpoch", 0));
    }

    private static Mode usualMode(Attributes stored) {
        return usualMode(stored.integer("workers").orElse(1L).intValue());
    }

    private static Mode usualMode(int workers) {
        return workers > 1 ? Mode.ALLREDUCE : Mode.SINGLE;
    }

    /// The settings as the attributes in which a run stores them.
    public Attributes asAttributes() {
        return addTo(Attributes.empty());
    }

    Attributes addTo(Attributes attributes) {
        Attributes all = attributes
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
                .with(WholeBatch.ATTRIBUTE, wholeBatch)
                .with("dataOrder", order.label())
                .with("seed", seed)
                .with("threads", threads)
                .with("workers", workers)
                .with("steps", steps)
                .with("evaluateEvery", evaluateEvery);
        if (order.isSharded()) {
            all = all.with("shuffle", order.shuffle());
        }
        if (epochs.isSet()) {
            all = all.with("epochs", epochs.count());
            all = epochs.steps() == 0 ? all : all.with("stepsPerEpoch", epochs.steps());
        }
        return mode.isServed() ? all.with("mode", mode.label()).with("aggregate", fresh()) : all;
    }

    private static void require(boolean holds, String setting, String valid, Object value) {
        if (!holds) {
            throw new InvalidSettingException(setting, valid + ", not " + value);
        }
    }

    private static void requireFor(Workload only, Workload workload, TrainingRequest request, String setting) {
        if (workload != only && request.asked().containsKey(setting)) {
            throw new InvalidSettingException(
                    setting, "applies to %s, not to %s".formatted(only.label(), workload.label()));
        }
    }
}
