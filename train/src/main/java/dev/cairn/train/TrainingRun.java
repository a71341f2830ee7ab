package dev.cairn.train;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.engine.Learner;
import dev.cairn.store.Attributes;
import dev.cairn.train.data.DataOrder.Cursor;
import java.util.List;

/// Where a run stands: the learner's tensors, and beside them the step, the place in the data, the last loss and the
/// best score so far. Saved after a step, it resumes with the very next batch.
final class TrainingRun implements TrainingState {
    private final TrainingSettings settings;
    private final Learner learner;
    private long step;
    private Cursor cursor = Cursor.START;
    private double lastLoss = Double.NaN;
    private double lastAccuracy = Double.NaN;
    private double bestAccuracy = -1;
    private long bestStep;
    private boolean scoreDue;

    TrainingRun(TrainingSettings settings, Learner learner) {
        this.settings = settings;
        this.learner = learner;
    }

    long step() {
        return step;
    }

    Cursor cursor() {
        return cursor;
    }

    double lastLoss() {
        return lastLoss;
    }

    /// Of the last time the test split was scored; NaN before the first.
    double lastAccuracy() {
        return lastAccuracy;
    }

    /// NaN before the first score.
    double bestAccuracy() {
        return bestAccuracy < 0 ? Double.NaN : bestAccuracy;
    }

    long bestStep() {
        return bestStep;
    }

    /// Whether this step is one to be scored, and was not yet: a notice came first.
    boolean isScoreDue() {
        return scoreDue;
    }

    void stepMade(float loss, Cursor next) {
        step++;
        scoreDue = step % TrainingSettings.EVALUATE_EVERY == 0;
        lastLoss = loss;
        cursor = next;
    }

    void scored(double accuracy) {
        scoreDue = false;
        lastAccuracy = accuracy;
        if (accuracy > bestAccuracy) {
            bestAccuracy = accuracy;
            bestStep = step;
        }
    }

    @Override
    public List<LiveTensor> tensors() {
        return learner.tensors();
    }

    @Override
    public Attributes attributes() {
        Attributes attributes = settings.addTo(Attributes.empty())
                .with("epoch", cursor.epoch())
                .with("position", cursor.position())
                .with("loss", lastLoss)
                .with("accuracy", lastAccuracy)
                .with("bestAccuracy", bestAccuracy)
                .with("bestStep", bestStep);
        return scoreDue ? attributes.with("scoreDue", true) : attributes;
    }

    @Override
    public void restored(long restoredStep, Attributes attributes) {
        learner.tensorsRestored();
        step = restoredStep;
        cursor = new Cursor(
                attributes.integer("epoch").orElseThrow(),
                Math.toIntExact(attributes.integer("position").orElseThrow()));
        lastLoss = attributes.number("loss").orElseThrow();
        lastAccuracy = attributes.number("accuracy").orElseThrow();
        bestAccuracy = attributes.number("bestAccuracy").orElseThrow();
        bestStep = attributes.integer("bestStep").orElseThrow();
        scoreDue = attributes.flag("scoreDue").orElse(false);
    }
}
