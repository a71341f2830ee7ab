package dev.cairn.djl;

import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Dataset;
import ai.djl.translate.TranslateException;
import ai.djl.util.Progress;
import java.io.IOException;
import java.util.Iterator;
import java.util.concurrent.ExecutorService;

/// A data set, epoch by epoch, without the batches that were trained before a restore.
final class RemainingBatches implements Dataset {
    private final Dataset all;
    private final CheckpointListener listener;

    RemainingBatches(Dataset all, CheckpointListener listener) {
        this.all = all;
        this.listener = listener;
    }

    @Override
    public Iterable<Batch> getData(NDManager manager) throws IOException, TranslateException {
        listener.seedEpoch(manager.getEngine());
        return withoutSeen(manager, all.getData(manager));
    }

    @Override
    public Iterable<Batch> getData(NDManager manager, ExecutorService executor) throws IOException, TranslateException {
        listener.seedEpoch(manager.getEngine());
        return withoutSeen(manager, all.getData(manager, executor));
    }

    @Override
    public void prepare(Progress progress) throws IOException, TranslateException {
        all.prepare(progress);
    }

    private Iterable<Batch> withoutSeen(NDManager manager, Iterable<Batch> epoch) {
        Iterator<Batch> batches = epoch.iterator();
        for (long i = 0; i < listener.batch() && batches.hasNext(); i++) {
            batches.next().close();
        }
        listener.seedStep(manager.getEngine());
        return () -> batches;
    }
}
