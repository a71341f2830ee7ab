package dev.cairn.app.bench;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.engine.Learner;
import dev.cairn.engine.Model;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.Score;
import dev.cairn.store.Attributes;
import dev.cairn.torch.TorchEngine;
import dev.cairn.train.BatchLoader;
import dev.cairn.train.data.DataOrder;
import dev.cairn.train.data.DataOrder.Cursor;
import dev.cairn.train.data.ImageSet;
import dev.cairn.train.data.Scaling;
import java.util.List;

/// A fully connected network being trained for a benchmark.
final class MlpRun implements TrainingState, AutoCloseable {
    private static final int BATCH = 64;
    private static final int SCORED = 2000;

    private final Learner learner;
    private final DataOrder order;
    private final BatchLoader batches;
    private final BatchLoader scored;
    private Cursor cursor = Cursor.START;
    private long step;

    MlpRun(ImageSet data, List<Integer> widths, OptimizerSpec optimizer, long seed, int threads) {
        this.learner = TorchEngine.learner(new Model.Mlp(widths), optimizer, seed, threads);
        this.order = new DataOrder(seed, data.train().count());
        this.batches = new BatchLoader(data.train(), Scaling.NONE, BATCH);
        this.scored = new BatchLoader(data.test(), Scaling.NONE, SCORED);
    }

    long step() {
        return step;
    }

    void trainTo(long wanted) {
        while (step < wanted) {
            makeStep(() -> {});
        }
    }

    /// Makes one step.
    ///
    /// @param beforeUpdate run between the backward pass and the update
    void makeStep(Runnable beforeUpdate) {
        Cursor here = cursor;
        learner.step(batches.load(order.sizeAt(here, BATCH), i -> order.exampleAt(here, i)), ++step, beforeUpdate);
        cursor = order.after(here, BATCH);
    }

    /// The loss on the same 2,000 images of the test split every time.
    double testLoss() {
        Score score = learner.evaluate(scored.load(SCORED, i -> i));
        return score.loss();
    }

    @Override
    public List<LiveTensor> tensors() {
        return learner.tensors();
    }

    @Override
    public Attributes attributes() {
        return Attributes.empty().with("epoch", cursor.epoch()).with("position", cursor.position());
    }

    @Override
    public void restored(long restoredStep, Attributes attributes) {
        learner.tensorsRestored();
        step = restoredStep;
        cursor = new Cursor(
                attributes.integer("epoch").orElseThrow(),
                Math.toIntExact(attributes.integer("position").orElseThrow()));
    }

    @Override
    public void close() {
        scored.close();
        batches.close();
        learner.close();
    }
}
