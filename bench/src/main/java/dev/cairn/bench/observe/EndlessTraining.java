package dev.cairn.bench.observe;

import dev.cairn.bench.observe.Recorders.Kind;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Matching;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.observe.Observers;
import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingObserver;
import dev.cairn.train.Goals;
import dev.cairn.train.Trainer;
import dev.cairn.train.TrainingRequest;
import dev.cairn.train.TrainingSettings;
import dev.cairn.train.TrainingSettings.RefusedException;
import dev.cairn.train.data.ImageSet;
import dev.cairn.train.data.fetch.DataPlaces;
import dev.cairn.train.data.fetch.DataProgress;
import dev.cairn.train.data.sets.DataSets;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Optional;

/// A `lenet` training in a process of its own that goes on until it is killed. It saves nothing. Who measures it reads
/// in a file how many steps it has made, and what recording has taken of its processor time.
final class EndlessTraining {
    /// Where in the file the number of steps is.
    static final int STEPS = 0;

    /// Where in the file the processor time of recording is, in nanoseconds.
    static final int RECORDING = Long.BYTES;

    private static final int ACCOUNT_EVERY = 100;

    private EndlessTraining() {}

    /// Trains. Prints the address of its metrics if it is observed.
    ///
    /// @param arguments the folder of the run, the file for the steps, the number of threads, and who observes it
    public static void main(String[] arguments) throws IOException {
        Path run = Path.of(arguments[0]);
        MappedByteBuffer made = map(Path.of(arguments[1]));
        Kind kind = Kind.valueOf(arguments[3].toUpperCase(Locale.ROOT));
        try (Recorders recorders = Recorders.of(kind, run)) {
            recorders.metricsAddress().ifPresent(System.out::println);
            TrainingObserver counter = event -> {
                if (event instanceof TrainingEvent.StepMade step) {
                    made.putLong(STEPS, step.step());
                    if (step.step() % ACCOUNT_EVERY == 0) {
                        made.putLong(RECORDING, recorders.cpuNanos());
                    }
                }
            };
            train(run, Integer.parseInt(arguments[2]), Observers.of(counter, recorders.observer()));
        } catch (RefusedException e) {
            throw new IllegalStateException(e);
        }
    }

    static MappedByteBuffer map(Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, 2 * Long.BYTES);
        }
    }

    private static void train(Path run, int threads, TrainingObserver observer) throws IOException, RefusedException {
        var data = (ImageSet) DataSets.load("digits", DataPlaces.of(Optional.empty()), DataProgress.NONE);
        TrainingRequest request = TrainingRequest.of("lenet")
                .with("optimizer", "momentum")
                .with("rate", 1e-4)
                .with("threads", threads)
                .with("evaluateEvery", Integer.MAX_VALUE)
                .with("steps", Integer.MAX_VALUE);
        CheckpointOptions never = CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(Integer.MAX_VALUE))
                .withoutLog();
        try (Checkpoints checkpoints = Checkpoints.open(run, never)) {
            TrainingSettings settings =
                    TrainingSettings.resolve(request, Optional.empty()).settings();
            new Trainer(settings, data, Goals.NONE, observer, Notices.none())
                    .train(checkpoints, new Trainer.Start.Resume(Matching.WHOLE));
        }
    }
}
