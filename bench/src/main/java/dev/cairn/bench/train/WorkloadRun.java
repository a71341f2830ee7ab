package dev.cairn.bench.train;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.engine.Batch;
import dev.cairn.engine.Engine;
import dev.cairn.engine.LocalLearner;
import dev.cairn.engine.Model;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.Update;
import dev.cairn.store.Attributes;
import dev.cairn.train.batch.Batches;
import dev.cairn.train.data.ImageSet;
import dev.cairn.train.data.Images;
import java.util.ArrayList;
import java.util.List;

/// A bare loop over an engine: only steps, on batches that were loaded before.
final class WorkloadRun implements TrainingState, AutoCloseable {
    private static final int LOADED = 50;
    private static final double RATE = 1e-4;

    private final LocalLearner learner;
    private final List<Batches> loaders = new ArrayList<>();
    private final List<Batch> batches = new ArrayList<>();
    private long step;

    WorkloadRun(String engine, Model model, ImageSet data, String optimizer, int batch, int threads) {
        this.learner = Engine.named(engine).learner(model, OptimizerSpec.of(optimizer), 1, threads);
        Images.Inputs inputs = data.train().inputs(data.scaling());
        for (int i = 0; i < LOADED; i++) {
            int first = i * batch;
            Batches loader = new Batches.OfImages(data.train(), inputs, batch);
            loaders.add(loader);
            batches.add(loader.load(batch, example -> first + example));
        }
    }

    long step() {
        return step;
    }

    /// @param beforeUpdate run before the update
    void makeStep(Runnable beforeUpdate) {
        Batch batch = batches.get((int) (step % LOADED));
        step++;
        learner.step(batch, new Update(step, RATE), beforeUpdate);
    }

    /// The seconds of this number of steps.
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
        loaders.forEach(Batches::close);
        learner.close();
    }
}
