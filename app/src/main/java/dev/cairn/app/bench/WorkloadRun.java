package dev.cairn.app.bench;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.engine.Engine;
import dev.cairn.engine.Learner;
import dev.cairn.engine.Model;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.Update;
import dev.cairn.store.Attributes;
import dev.cairn.train.Batches;
import dev.cairn.train.data.DataOrder;
import dev.cairn.train.data.DataOrder.Cursor;
import dev.cairn.train.data.ImageSet;
import java.util.List;

/// A bare loop over an engine: load a batch, make a step, and nothing else.
final class WorkloadRun implements TrainingState, AutoCloseable {
    private final Learner learner;
    private final DataOrder order;
    private final Batches batches;
    private final int batch;
    private final double rate;
    private Cursor cursor = Cursor.START;
    private long step;

    WorkloadRun(String engine, Model model, ImageSet data, String optimizer, int batch, int threads) {
        this.learner = Engine.named(engine).learner(model, OptimizerSpec.of(optimizer), 1, threads);
        this.order = new DataOrder(1, data.train().count());
        this.batches = new Batches.OfImages(data.train(), data.scaling(), batch);
        this.batch = batch;
        this.rate = 1e-4;
    }

    long step() {
        return step;
    }

    /// @param beforeUpdate run before the update
    void makeStep(Runnable beforeUpdate) {
        Cursor here = cursor;
        learner.step(
                batches.load(order.sizeAt(here, batch), i -> order.exampleAt(here, i)),
                new Update(++step, rate),
                beforeUpdate);
        cursor = order.after(here, batch);
    }

    /// Seconds that so many steps take.
    double time(int steps) {
        long start = System.nanoTime();
        for (int i = 0; i < steps; i++) {
            makeStep(() -> {});
        }
        return (System.nanoTime() - start) / 1e9;
    }

    @Override
    public List<LiveTensor> tensors() {
        return learner.tensors();
    }

    @Override
    public Attributes attributes() {
        return Attributes.empty();
    }

    @Override
    public void restored(long restoredStep, Attributes attributes) {
        throw new IllegalStateException("nothing is restored here");
    }

    @Override
    public void close() {
        batches.close();
        learner.close();
    }
}
