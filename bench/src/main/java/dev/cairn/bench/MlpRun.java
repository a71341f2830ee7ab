package dev.cairn.bench;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.engine.Architectures;
import dev.cairn.engine.Engine;
import dev.cairn.engine.LocalLearner;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.Score;
import dev.cairn.engine.Update;
import dev.cairn.store.Attributes;
import dev.cairn.train.batch.Batches;
import dev.cairn.train.data.DataOrder;
import dev.cairn.train.data.DataOrder.Cursor;
import dev.cairn.train.data.GlobalOrder;
import dev.cairn.train.data.ImageSet;
import dev.cairn.train.data.Scaling;
import java.util.List;

/// A fully connected network being trained for a benchmark.
public final class MlpRun implements TrainingState, AutoCloseable {
    private static final int BATCH = 64;
    private static final int SCORED = 2000;

    private final LocalLearner learner;
    private final DataOrder order;
    private final double rate;
    private final Batches batches;
    private final Batches scored;
    private Cursor cursor = Cursor.START;
    private long step;

    /// With its rate.
    public record Optimizer(OptimizerSpec spec, double rate) {
        public static final Optimizer ADAM = new Optimizer(OptimizerSpec.of("adam"), 1e-3);
        public static final Optimizer MOMENTUM = new Optimizer(OptimizerSpec.of("momentum"), 0.05);
    }

    public MlpRun(ImageSet data, List<Integer> widths, Optimizer optimizer, long seed, int threads) {
        this.learner =
                Engine.named("torch").learner(Architectures.fullyConnected(widths), optimizer.spec(), seed, threads);
        this.rate = optimizer.rate();
        this.order = new GlobalOrder(seed, data.train().count());
        this.batches = new Batches.OfImages(data.train(), data.train().inputs(Scaling.NONE), BATCH);
        this.scored = new Batches.OfImages(data.test(), data.test().inputs(Scaling.NONE), SCORED);
    }

    public long step() {
        return step;
    }

    public void trainTo(long wanted) {
        while (step < wanted) {
            makeStep(() -> {});
        }
    }

    /// Makes one step.
    ///
    /// @param beforeUpdate run between the backward pass and the update
    public void makeStep(Runnable beforeUpdate) {
        Cursor here = cursor;
        learner.step(
                batches.load(order.sizeAt(here, BATCH), i -> order.exampleAt(here, i)),
                new Update(++step, rate),
                beforeUpdate);
        cursor = order.after(here, BATCH);
    }

    /// The loss on the same 2,000 images of the test split every time.
    public double testLoss() {
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
