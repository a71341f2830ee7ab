package dev.cairn.app.train;

import dev.cairn.app.console.Choices;
import dev.cairn.engine.Engine;
import dev.cairn.train.TrainingRequest;
import dev.cairn.train.TrainingSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// The options of `cairn train` that determine a run's results; null if not given.
final class ModelOptions {
    @Option(
            names = "--steps",
            paramLabel = "N",
            description = "Train up to this step (default: " + TrainingSettings.DEFAULT_STEPS + ").")
    private @Nullable Long steps;

    @Option(
            names = "--epochs",
            paramLabel = "N",
            description = "Train N epochs instead. Each is scored at its end, and saved with --every epoch.")
    private @Nullable Integer epochs;

    @Option(
            names = "--steps-per-epoch",
            paramLabel = "M",
            description = "With --epochs: M steps make an epoch (default: as many as all examples need).")
    private @Nullable Integer stepsPerEpoch;

    @Option(
            names = "--engine",
            paramLabel = "ENGINE",
            completionCandidates = Choices.Engines.class,
            description = "Engine that computes: torch or tensorflow (default: torch).")
    private @Nullable String engine;

    @Option(
            names = "--batch",
            paramLabel = "N",
            description = "Examples per step (default: 64; lr: 100; mf: 1000). Of all workers together; with a "
                    + "parameter server, of each worker.")
    private @Nullable Integer batch;

    @Option(
            names = "--batch-per-worker",
            description = "--batch is that of each worker. The first start of a run decides the batch of all workers "
                    + "together; another number of workers shares out the same batch.")
    private boolean batchPerWorker;

    @Option(
            names = "--data-order",
            paramLabel = "ORDER",
            completionCandidates = Choices.DataOrders.class,
            description = {
                "The order of the examples (default: global):",
                "global  shuffled anew for each epoch; each example once an epoch, by any number of workers",
                "shard   each worker has its own part, and repeats it through a shuffle buffer"
            })
    private @Nullable String dataOrder;

    @Option(
            names = "--shuffle",
            paramLabel = "N",
            description = "With --data-order shard: examples in the shuffle buffer of each worker (default: 10000).")
    private @Nullable Integer shuffle;

    @Option(
            names = "--optimizer",
            paramLabel = "OPTIMIZER",
            completionCandidates = Choices.Optimizers.class,
            description = "Optimizer: sgd, momentum or adam (default: momentum; alexnet and mf: adam).")
    private @Nullable String optimizer;

    @Option(
            names = "--rate",
            paramLabel = "X",
            description = "Learning rate (default: one that suits workload and optimizer).")
    private @Nullable Double rate;

    @Option(
            names = "--schedule",
            paramLabel = "HOW",
            description = "How the learning rate changes: constant, linear or cosine (to 0 at the last step), step:N:F "
                    + "(times F every N steps), exp:F (times F every step). The prefix warmup:N+ starts slowly, over "
                    + "N steps (default: constant).")
    private @Nullable String schedule;

    @Option(names = "--weight-decay", paramLabel = "X", description = "L2 weight decay (default: 0; mf: 1e-3).")
    private @Nullable Double weightDecay;

    @Option(
            names = "--clip",
            paramLabel = "X",
            description = "Maximum norm of gradients, which are scaled down to it; 0: no maximum (default: 0).")
    private @Nullable Double clip;

    @Option(
            names = "--activation",
            paramLabel = "FUNCTION",
            completionCandidates = Choices.Activations.class,
            description = "For lenet: activation function, relu or tanh (default: relu).")
    private @Nullable String activation;

    @Option(
            names = "--rank",
            paramLabel = "N",
            description = "For mf: number of factors per user and item (default: 16).")
    private @Nullable Integer rank;

    @Option(
            names = "--eval-every",
            paramLabel = "N",
            description =
                    "Score the test split every N steps (default: " + TrainingSettings.DEFAULT_EVALUATE_EVERY + ").")
    private @Nullable Integer evaluateEvery;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of the weights, the data order and all other random numbers (default: 1).")
    private @Nullable Long seed;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Number of engine threads (default: all cores; lr and mf: 1). The same number gives the "
                    + "same bits.")
    private @Nullable Integer threads;

    /// @throws dev.cairn.store.UnknownNameException if the engine is unknown
    void checkEngine() {
        if (engine != null) {
            Engine.named(engine);
        }
    }

    /// Refuses options that contradict each other.
    void check(CommandLine command) {
        if (steps != null && epochs != null) {
            throw new ParameterException(command, "--steps and --epochs both say how long to train; give one of them");
        }
        if (epochs != null && epochs < 1) {
            throw new ParameterException(command, "--epochs must be at least 1, not " + epochs);
        }
        if (stepsPerEpoch != null && (epochs == null || stepsPerEpoch < 1)) {
            throw new ParameterException(
                    command,
                    epochs == null
                            ? "--steps-per-epoch also needs --epochs"
                            : "--steps-per-epoch must be at least 1, not " + stepsPerEpoch);
        }
        if (shuffle != null && !"shard".equals(dataOrder)) {
            throw new ParameterException(
                    command, "--shuffle is for --data-order shard; the global order is always shuffled as a whole");
        }
    }

    /// The number of threads of a server that has a part of the weights: additions need no more by default.
    int threads() {
        return threads == null ? 1 : threads;
    }

    /// The name of the engine, if one was asked for.
    @Nullable
    String engine() {
        return engine;
    }

    TrainingRequest request(String workload, @Nullable String data) {
        return TrainingRequest.of(workload)
                .with("data", data)
                .with("engine", engine)
                .with("steps", steps)
                .with("epochs", epochs)
                .with("stepsPerEpoch", stepsPerEpoch)
                .with("batch", batch)
                .with("batchPerWorker", batchPerWorker ? 1 : null)
                .with("dataOrder", dataOrder)
                .with("shuffle", shuffle)
                .with("optimizer", optimizer)
                .with("rate", rate)
                .with("schedule", schedule)
                .with("weightDecay", weightDecay)
                .with("clip", clip)
                .with("activation", activation)
                .with("rank", rank)
                .with("evaluateEvery", evaluateEvery)
                .with("seed", seed)
                .with("threads", threads);
    }
}
