package dev.cairn.train;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.ForkPoint;
import dev.cairn.checkpoint.Matching;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.Selector;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingEvent.StepMade;
import dev.cairn.train.Trainer.Start;
import dev.cairn.train.TrainingSettings.RefusedException;
import dev.cairn.train.data.fetch.DataPlaces;
import dev.cairn.train.data.fetch.DataProgress;
import dev.cairn.train.data.sets.DataSets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// A training as `cairn train` starts it, in this process.
final class TestTraining {
    private TrainingRequest request;
    private final List<Double> losses = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final List<TrainingEvent.WentBack> rollbacks = new ArrayList<>();
    private Goals goals = Goals.NONE;
    private CheckpointOptions options = CheckpointOptions.defaults().withoutLog();
    private Notices notices = Notices.none();
    private LongConsumer onStep = _ -> {};
    private @Nullable Path origin;

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

    /// Begins at the newest checkpoint of another run, with the tensors that fit.
    TestTraining forkedFrom(Path run, TrainingRequest asked) {
        origin = run;
        request = asked;
        return this;
    }

    /// The loss of each step.
    List<Double> losses() {
        return losses;
    }

    List<String> warnings() {
        return warnings;
    }

    List<TrainingEvent.WentBack> rollbacks() {
        return rollbacks;
    }

    TrainingResult run(Path folder) throws IOException {
        try (Checkpoints checkpoints = Checkpoints.open(folder, options)) {
            Start start = start();
            TrainingSettings settings = switch (start) {
                case Start.Fork fork ->
                    TrainingSettings.resolveFork(request, fork.point().record().attributes())
                            .settings();
                case Start.Resume _, Start.Fresh _ ->
                    TrainingSettings.resolve(request, checkpoints.newestRecord().map(Checkpoint::attributes))
                            .settings();
            };
            var data = DataSets.load(settings.data(), DataPlaces.of(Optional.empty()), DataProgress.NONE);
            return new Trainer(settings, data, goals, this::on, notices).train(checkpoints, start);
        } catch (RefusedException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private Start start() throws IOException {
        return origin == null
                ? new Start.Resume(Matching.WHOLE)
                : new Start.Fork(ForkPoint.of(origin, new Selector.Latest()), Matching.PARTIAL);
    }

    private void on(TrainingEvent event) {
        switch (event) {
            case StepMade made -> {
                losses.add(made.loss());
                onStep.accept(made.step());
            }
            case TrainingEvent.Warned warned -> warnings.add(warned.message());
            case TrainingEvent.WentBack back -> rollbacks.add(back);
            case TrainingEvent.Started _,
                    TrainingEvent.Scored _,
                    TrainingEvent.Checkpointed _,
                    TrainingEvent.Recovered _,
                    TrainingEvent.Worked _,
                    TrainingEvent.Ended _ -> {
                // No test needs these.
            }
        }
    }
}
