package dev.cairn.bench.train;

import dev.cairn.bench.Bench;
import dev.cairn.bench.Memcpy;
import dev.cairn.bench.Row;
import dev.cairn.bench.StepWatch;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.Matching;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.engine.Activation;
import dev.cairn.engine.Architectures;
import dev.cairn.engine.Engine;
import dev.cairn.engine.Model;
import dev.cairn.train.Goals;
import dev.cairn.train.Trainer;
import dev.cairn.train.TrainingRequest;
import dev.cairn.train.TrainingSettings;
import dev.cairn.train.TrainingSettings.RefusedException;
import dev.cairn.train.data.ImageSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Measures the speed of the engines, the overhead of the trainer over a bare loop, and the overhead of automatic
/// checkpoints over the trainer.
public final class TrainBench implements Bench {
    private static final int ROUNDS = 5;
    private static final int TRAINER_ROUNDS = 12;
    private static final int SLICES = 50;
    private static final int MOST_SLICES = 1000;
    /// Short, so that other load on the machine affects both kinds of slices.
    private static final double SLICE_SECONDS = 1;
    private static final int WARM_UP_STEPS = 30;
    private static final int CLASSES = 10;

    private final ImageSet data;
    private final Path folder;
    private final int threads;
    private final boolean speedOnly;
    private final Consumer<String> progress;

    /// @param threads the number of threads for trainings on several threads
    /// @param speedOnly whether to leave out the overhead of trainer and checkpoints
    public TrainBench(ImageSet data, Path folder, int threads, boolean speedOnly, Consumer<String> progress) {
        this.data = data;
        this.folder = folder;
        this.threads = threads;
        this.speedOnly = speedOnly;
        this.progress = progress;
    }

    @Override
    public List<Row> run() throws IOException {
        var rows = new ArrayList<Row>();
        Model lr = Architectures.fullyConnected(List.of(data.train().pixelsPerImage(), CLASSES));
        Model lenet = Architectures.lenet5(Activation.RELU, CLASSES);
        for (String engine : Engine.all().stream().map(Engine::name).toList()) {
            rows.add(Row.plain(engine + ".lr.1t", speed(engine, lr, 100, 1, 2000), "steps/s"));
            rows.add(Row.plain(engine + ".lenet.1t", 64 * speed(engine, lenet, 64, 1, 200), "images/s"));
            rows.add(Row.plain(engine + ".lenet", 64 * speed(engine, lenet, 64, threads, 200), "images/s"));
        }
        if (speedOnly) {
            return rows;
        }
        rows.add(Row.atMost("trainer.lr.1t", trainer("lr", lr, 100, 1, 2000), "x bare loop", 1.05, 1.0));
        rows.add(Row.atMost("trainer.lenet", trainer("lenet", lenet, 64, threads, 300), "x bare loop", 1.05, 1.0));
        rows.add(Row.atMost("auto.lenet", automatic("auto.lenet", lenet, "momentum"), "x without", 1.01, 1.003));
        Model alexnet = Architectures.alexnet28(CLASSES, 0.5);
        rows.add(Row.atMost("auto.alexnet", automatic("auto.alexnet", alexnet, "adam"), "x without", 1.02, 1.01));
        return rows;
    }

    /// Steps per second of the bare loop: the best of some rounds, which other processes disturbed least.
    private double speed(String engine, Model model, int batch, int with, int steps) {
        progress.accept("%s on %d threads, batch %d".formatted(engine, with, batch));
        try (var run = new WorkloadRun(engine, model, data, "momentum", batch, with)) {
            run.time(WARM_UP_STEPS);
            double best = Double.MAX_VALUE;
            for (int round = 0; round < ROUNDS; round++) {
                best = Math.min(best, run.time(steps));
            }
            return steps / best;
        }
    }

    /// The time of the trainer relative to the bare loop. They alternate, and the best of each counts.
    private double trainer(String workload, Model model, int batch, int with, int steps) throws IOException {
        double bare = Double.MAX_VALUE;
        double whole = Double.MAX_VALUE;
        for (int round = 1; round <= TRAINER_ROUNDS; round++) {
            progress.accept("trainer.%s, %d of %d".formatted(workload, round, TRAINER_ROUNDS));
            try (var run = new WorkloadRun("torch", model, data, "momentum", batch, with)) {
                run.time(WARM_UP_STEPS);
                bare = Math.min(bare, run.time(steps));
            }
            whole = Math.min(whole, trainerSeconds(workload, with, steps));
        }
        return whole / bare;
    }

    private double trainerSeconds(String workload, int with, int steps) throws IOException {
        TrainingRequest request = TrainingRequest.of(workload)
                .with("optimizer", "momentum")
                .with("rate", 1e-4)
                .with("threads", with)
                .with("evaluateEvery", 1_000_000)
                .with("steps", steps + WARM_UP_STEPS);
        var watch = new StepWatch(WARM_UP_STEPS, steps + WARM_UP_STEPS);
        CheckpointOptions never = CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(Integer.MAX_VALUE))
                .withoutLog();
        try (Checkpoints checkpoints = Checkpoints.open(Files.createTempDirectory(folder, "trainer-"), never)) {
            TrainingSettings settings =
                    TrainingSettings.resolve(request, Optional.empty()).settings();
            new Trainer(settings, data, Goals.NONE, watch, Notices.none())
                    .train(checkpoints, new Trainer.Start.Resume(Matching.WHOLE));
        } catch (RefusedException e) {
            throw new IllegalStateException(e);
        }
        return watch.seconds();
    }

    /// The time of steps with automatic checkpoints relative to steps without, in alternating slices. The background
    /// work of a save is complete when its slice ends. The policy sees the time of both kinds of slices, which is
    /// twice the time, and saves accordingly.
    private double automatic(String name, Model model, String optimizer) throws IOException {
        CheckpointOptions options =
                CheckpointOptions.defaults().withCodec(Codec.parse("lossy")).withoutLog();
        double[] seconds = new double[2];
        long[] steps = new long[2];
        try (var run = new WorkloadRun("torch", model, data, optimizer, 64, threads);
                Checkpoints checkpoints = Checkpoints.open(Files.createTempDirectory(folder, "auto-"), options)) {
            run.time(WARM_UP_STEPS);
            checkpoints.saveNow(run.step(), run); // compiles the codec: a training is hours long, this is not
            for (int slice = 0; slice < MOST_SLICES && !isEnough(slice, checkpoints); slice++) {
                int saving = slice / 2 % 2 == 0 ? slice % 2 : 1 - slice % 2;
                progress.accept("%s, slice %d, %d saves"
                        .formatted(name, slice + 1, checkpoints.statistics().committed()));
                long start = System.nanoTime();
                long from = run.step();
                while ((System.nanoTime() - start) / 1e9 < SLICE_SECONDS) {
                    run.makeStep(checkpoints::beforeUpdate);
                    if (saving == 1) {
                        checkpoints.afterStep(run.step(), run);
                    }
                }
                checkpoints.beforeUpdate();
                checkpoints.awaitHousekeeping();
                seconds[saving] += (System.nanoTime() - start) / 1e9;
                steps[saving] += run.step() - from;
            }
            if (checkpoints.statistics().committed() < 2) {
                throw new IOException("too few saves to measure their cost: " + checkpoints.statistics());
            }
        }
        return seconds[1] / steps[1] / (seconds[0] / steps[0]);
    }

    /// Whether both kinds have the same number of slices and enough saves. The first save does not count.
    private static boolean isEnough(int slices, Checkpoints checkpoints) {
        return slices >= 2 * SLICES
                && slices % 2 == 0
                && checkpoints.statistics().committed() > 2;
    }

    @Override
    public double memcpyBytesPerSecond() {
        return Memcpy.bytesPerSecond();
    }

    @Override
    public String note() {
        return "%d threads where not said; auto with codec lossy, the training's batch is 64 (docs/BENCH.md)"
                .formatted(threads);
    }
}
