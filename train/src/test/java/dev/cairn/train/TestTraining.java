package dev.cairn.train;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Matching;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.train.TrainingSettings.RefusedException;
import dev.cairn.train.data.DataPlaces;
import dev.cairn.train.data.DataProgress;
import dev.cairn.train.data.DataSets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/// A training as `cairn train` starts it, in this process.
final class TestTraining {
    private final TrainingRequest request;
    private final List<Double> losses = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private Goals goals = Goals.NONE;
    private CheckpointOptions options = CheckpointOptions.defaults().withListener(_ -> {});
    private Notices notices = Notices.none();
    private LongConsumer onStep = _ -> {};

    TestTraining(TrainingRequest request) {
        this.request = request;
    }

    TestTraining with(Goals wanted) {
        goals = wanted;
        return this;
    }

    TestTraining with(CheckpointOptions wanted) {
        options = wanted;
        return this;
    }

    TestTraining savingEvery(int steps) {
        return with(options.withPolicy(new SavePolicy.EverySteps(steps)));
    }

    TestTraining with(Notices watched, LongConsumer afterStep) {
        notices = watched;
        onStep = afterStep;
        return this;
    }

    /// The loss of each step.
    List<Double> losses() {
        return losses;
    }

    List<String> warnings() {
        return warnings;
    }

    TrainingResult run(Path folder) throws IOException {
        try (Checkpoints checkpoints = Checkpoints.open(folder, options)) {
            Optional<dev.cairn.store.Attributes> run =
                    checkpoints.newestRecord().map(newest -> newest.attributes());
            TrainingSettings settings = TrainingSettings.resolve(request, run).settings();
            var data = DataSets.load(settings.data(), DataPlaces.of(Optional.empty()), DataProgress.NONE);
            return new Trainer(settings, data, goals, new Observer(), notices)
                    .train(checkpoints, new Trainer.Start.Resume(Matching.WHOLE));
        } catch (RefusedException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private final class Observer implements TrainingObserver {
        @Override
        public void started(long fromStep, long steps, int checkpoints) {}

        @Override
        public void stepMade(long step, double loss, double score) {
            losses.add(loss);
            onStep.accept(step);
        }

        @Override
        public void warned(String message) {
            warnings.add(message);
        }
    }
}
