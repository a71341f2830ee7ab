package dev.cairn.djl;

import ai.djl.engine.Engine;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.Dataset;
import ai.djl.training.listener.TrainingListenerAdapter;
import ai.djl.training.optimizer.Optimizer;
import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.djl.TrainerState.Position;
import dev.cairn.store.Attributes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Saves a DJL trainer while it trains, and restores it bit for bit: parameters, the optimizer's state, epoch and
/// batch.
///
/// ```java
/// CheckpointListener listener = new CheckpointListener(checkpoints, optimizer, seed);
/// TrainingConfig config = new DefaultTrainingConfig(loss).optOptimizer(optimizer).addTrainingListeners(listener);
/// try (Trainer trainer = model.newTrainer(config)) {
///     trainer.initialize(shape);
///     listener.restore(trainer);
///     EasyTrain.fit(trainer, epochs - (int) listener.epoch(), listener.remaining(dataset), null);
/// }
/// ```
/// Your own loop does the same. It begins with epoch [#epoch], takes its batches from [#remaining], calls
/// `EasyTrain.trainBatch` and `trainer.step()` for each, and `trainer.notifyListeners(l -> l.onEpoch(trainer))` after
/// each epoch. If it skips batches itself, it leaves out the first [#batch] batches of that epoch.
///
/// DJL reports a batch *before* `trainer.step()`. So a step is saved when DJL reports the next batch, before the update
/// of that batch, or when the epoch of the step ends. Closing the trainer saves the last step.
///
/// DJL does not expose the state of its random generators. Therefore this listener seeds the engine from its own seed:
/// when the trainer is created, before each epoch for its shuffle, and after each batch for the dropout of the next
/// one. Results of other generators, and of threads that prepare batches in parallel with the training, are not
/// repeated. Neither are metrics, nor schedules with a state of their own. The trainer must have one device. Use the
/// listener on the training thread.
///
/// DJL 0.35.1 with PyTorch has a bug, whether the process was killed or not. If a loss multiplies by a Java number, the
/// garbage collector may free the number's memory before the backward pass reads it, and the gradients of that batch
/// are wrong. `Loss.l2Loss` multiplies by its weight; your own loss can avoid this.
public final class CheckpointListener extends TrainingListenerAdapter {
    private static final Logger LOG = System.getLogger("dev.cairn.djl");

    private final Checkpoints checkpoints;
    private final OptimizerMaps optimizer;
    private final long seed;

    private @Nullable TrainerState state;
    private long step;
    private int updatesBefore;
    private boolean settled = true;

    /// A listener for one trainer.
    ///
    /// @param checkpoints checkpoints of the run; the caller closes them after the trainer
    /// @param optimizer optimizer of the trainer
    /// @throws IllegalArgumentException if the state of this kind of optimizer cannot be found
    public CheckpointListener(Checkpoints checkpoints, Optimizer optimizer, long seed) {
        this.checkpoints = checkpoints;
        this.optimizer = new OptimizerMaps(optimizer);
        this.seed = seed;
    }

    /// Restores the newest checkpoint that verifies into the trainer, whose parameters must be initialized.
    /// Returns empty if the run has no checkpoint yet. Call this before the first batch, also in a new run.
    public Optional<Checkpoint> restore(Trainer trainer) throws IOException {
        var restoring = new TrainerState(trainer, optimizer);
        restoring.prepare(checkpoints.newestTensors());
        Optional<Checkpoint> restored = checkpoints.restoreLatest(restoring);
        step = restored.map(Checkpoint::step).orElse(0L);
        settled = true;
        state = restoring;
        seedStep(trainer.getManager().getEngine());
        return restored;
    }

    /// The number of batches that have been trained.
    public long step() {
        return step;
    }

    /// The epoch of the next batch, from 0.
    public long epoch() {
        return position().epoch();
    }

    /// The number of batches of that epoch that have been trained.
    public long batch() {
        return position().batch();
    }

    /// The data of the remaining epochs, without the batches of the first one that are already trained. The seed
    /// and the epoch determine the shuffle.
    public Dataset remaining(Dataset dataset) {
        return new RemainingBatches(dataset, this);
    }

    /// Adds attributes to every later checkpoint. [#restore] returns them with the checkpoint's attributes.
    public void put(Attributes more) {
        present().put(more);
    }

    @Override
    public void onTrainingBegin(Trainer trainer) {
        seed(trainer.getManager().getEngine(), Purpose.BEGIN, 0);
    }

    @Override
    public void onTrainingBatch(Trainer trainer, BatchData batchData) {
        TrainerState current = present();
        if (!settled) {
            saveIfDue(current);
        }
        current.tookForwardPass();
        updatesBefore = current.updates();
        Position position = current.position();
        current.moveTo(new Position(position.epoch(), position.batch() + 1));
        step++;
        settled = false;
        seedStep(trainer.getManager().getEngine());
    }

    @Override
    public void onEpoch(Trainer trainer) {
        TrainerState current = present();
        current.moveTo(new Position(current.position().epoch() + 1, 0));
        if (!settled) {
            settled = true;
            saveIfDue(current);
        }
    }

    @Override
    public void onTrainingEnd(Trainer trainer) {
        TrainerState current = state;
        if (current == null || step == 0) {
            return;
        }
        if (!settled && current.updates() <= updatesBefore) {
            LOG.log(Level.WARNING, "not saved: step={0}; the trainer was closed before the update of its batch", step);
            return;
        }
        try {
            if (!checkpoints.isSaved(step)) {
                checkpoints.saveNow(step, current);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void seedEpoch(Engine engine) {
        seed(engine, Purpose.EPOCH, epoch());
    }

    void seedStep(Engine engine) {
        seed(engine, Purpose.STEP, step);
    }

    /// The purpose of a seed. Each purpose has different seeds.
    private enum Purpose {
        BEGIN(0x2545f4914f6cdd1dL),
        EPOCH(0x5851f42d4c957f2dL),
        STEP(0x14057b7ef767814fL);

        private final long salt;

        Purpose(long salt) {
            this.salt = salt;
        }
    }

    private void seed(Engine engine, Purpose purpose, long number) {
        long mixed = new SplittableRandom(seed ^ purpose.salt).nextLong() + number;
        engine.setRandomSeed(new SplittableRandom(mixed).nextInt());
    }

    private void saveIfDue(TrainerState current) {
        try {
            checkpoints.afterStep(step, current);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Position position() {
        return present().position();
    }

    private TrainerState present() {
        TrainerState current = state;
        if (current == null) {
            throw new IllegalStateException(
                    "nothing was restored yet; call restore(trainer) after trainer.initialize(shapes), in a new run too");
        }
        return current;
    }
}
