package dev.cairn.train;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.checkpoint.WeightError;
import dev.cairn.engine.Learner;
import dev.cairn.engine.Score;
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
    private double lastTestLoss = Double.NaN;
    private double bestAccuracy = -1;
    private long bestStep;
    private long optimizerBegan;
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

    /// The step at which the optimizer began with an empty state: that of a fork with another optimizer, else 0.
    long optimizerBegan() {
        return optimizerBegan;
    }

    /// Whether this step is one to be scored, and was not yet: a notice came first.
    boolean isScoreDue() {
        return scoreDue;
    }

    void stepMade(float loss, Cursor next) {
        step++;
        scoreDue = isScored(step) || step == settings.steps();
        lastLoss = loss;
        cursor = next;
    }

    void scored(Score score) {
        scoreDue = false;
        lastAccuracy = score.accuracy();
        lastTestLoss = score.loss();
        if (lastAccuracy > bestAccuracy) {
            bestAccuracy = lastAccuracy;
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
                .with("testLoss", lastTestLoss)
                .with("bestAccuracy", bestAccuracy)
                .with("bestStep", bestStep)
                .with("optimizerBegan", optimizerBegan);
        return scoreDue ? attributes.with("scoreDue", true) : attributes;
    }

    @Override
    public void restored(long restoredStep, Attributes attributes) {
        learner.tensorsRestored();
        step = restoredStep;
        if (attributes.integer("epoch").isEmpty()) {
            // Weights that no training of ours made: it begins with them.
            optimizerBegan = restoredStep;
            scoreDue = true;
            return;
        }
        cursor = new Cursor(
                attributes.integer("epoch").orElseThrow(),
                Math.toIntExact(attributes.integer("position").orElseThrow()));
        // What was measured is of the state before it was stored: of one with an error it says nothing.
        boolean exact = attributes.number(WeightError.OF_STATE).orElse(0.0) == 0;
        lastLoss = ifExact(exact, attributes.number("loss").orElseThrow());
        lastAccuracy = ifExact(exact, attributes.number("accuracy").orElseThrow());
        // Runs of earlier versions have none.
        lastTestLoss = ifExact(exact, attributes.number("testLoss").orElse(Double.NaN));
        bestAccuracy = attributes.number("bestAccuracy").orElseThrow();
        bestStep = attributes.integer("bestStep").orElseThrow();
        boolean sameOptimizer = attributes
                .text("optimizer")
                .orElseThrow()
                .equals(settings.optimizer().name());
        optimizerBegan = sameOptimizer ? attributes.integer("optimizerBegan").orElse(0L) : restoredStep;
        scoreDue = attributes.flag("scoreDue").orElse(false) || (!exact && isScored(restoredStep));
    }

    private static double ifExact(boolean exact, double measured) {
        return exact ? measured : Double.NaN;
    }

    private static boolean isScored(long step) {
        return step % TrainingSettings.EVALUATE_EVERY == 0;
    }
}
