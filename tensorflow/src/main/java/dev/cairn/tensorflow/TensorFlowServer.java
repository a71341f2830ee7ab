package dev.cairn.tensorflow;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.engine.Batch;
import dev.cairn.engine.Model;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.Score;
import dev.cairn.engine.Update;
import dev.cairn.engine.group.BrokenGroupException;
import dev.cairn.engine.server.Generation;
import dev.cairn.engine.server.ParameterServer;
import dev.cairn.engine.server.Task;
import dev.cairn.tensorflow.model.GradientRows;
import dev.cairn.tensorflow.queues.ChiefQueues;
import dev.cairn.tensorflow.queues.ChiefQueues.Sums;
import dev.cairn.tensorflow.queues.Round;
import dev.cairn.tensorflow.runtime.NativeTensors;
import dev.cairn.tensorflow.runtime.TensorFlowException;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.tensorflow.internal.c_api.TF_Tensor;

/// The chief of a synchronous training, in the process of the server. A step is two runs: the first waits for the
/// gradients of the workers and changes nothing, the second changes the variables and waits for nobody.
final class TensorFlowServer implements ParameterServer {
    private final String target;
    private final ServedVariables variables;
    private final LocalModel scorer;
    private final int weights;
    private final int rows;
    private @Nullable ChiefQueues queues;
    private @Nullable Round round;
    private long abandoned;
    private long updates;
    private boolean changed = true;

    TensorFlowServer(String target, Model model, OptimizerSpec optimizer, long seed, int threads) {
        this.target = target;
        this.weights = model.parameters().size();
        this.rows = GradientRows.of(model).count();
        this.variables = new ServedVariables(target, model, optimizer);
        this.scorer = new LocalModel(model, seed, threads);
        variables.initialize(seed);
        variables.count(0);
    }

    @Override
    public String address() {
        return target;
    }

    @Override
    public void begin(Generation generation, List<String> servers) {
        closeQueues();
        var begun = new Round(generation, weights, rows);
        queues = new ChiefQueues(target, begun);
        synchronized (this) {
            round = begun;
            if (abandoned >= generation.number()) {
                throw new BrokenGroupException("a worker is gone", new IllegalStateException());
            }
        }
    }

    @Override
    public synchronized void abandon(long generation) {
        abandoned = Math.max(abandoned, generation);
        Round now = round;
        if (now != null && now.generation().number() <= generation) {
            now.close(target);
        }
    }

    @Override
    public Made step(Task task, Update update, Runnable beforeUpdate) {
        Sums sums = reaching(() -> queues().sums(task));
        try {
            beforeUpdate.run();
            variables.update(sums.gradients(), sums.examples(), update);
            changed = true;
            return new Made((float) (sums.loss() / sums.examples()), sums.examples(), sums.stale());
        } finally {
            sums.close();
        }
    }

    @Override
    public void give(int worker, Task task) {
        reaching(() -> {
            queues().give(worker, task);
            return task;
        });
    }

    @Override
    public void counted(long known) {
        updates = known;
        variables.count(known);
    }

    @Override
    public Taken take(Update update, Runnable beforeUpdate) {
        ChiefQueues.Arrival come = reaching(() -> queues().next());
        try (Sums sums = come.sums()) {
            beforeUpdate.run();
            variables.count(++updates); // before the weights change, so that nobody believes them to be older
            variables.update(sums.gradients(), sums.examples(), update);
            changed = true;
            return new Taken(come.worker(), (float) (sums.loss() / sums.examples()), sums.examples(), come.score());
        }
    }

    private ChiefQueues queues() {
        if (queues == null) {
            throw new IllegalStateException("no generation has begun");
        }
        return queues;
    }

    private static <T> T reaching(Supplier<T> call) {
        try {
            return call.get();
        } catch (TensorFlowException e) {
            if (e.isOfAnotherProcess()) {
                throw new BrokenGroupException("a worker is gone", e);
            }
            throw e;
        }
    }

    @Override
    public Score evaluate(Batch batch) {
        if (changed) {
            List<TF_Tensor> values = variables.weights();
            try {
                scorer.set(values);
            } finally {
                values.forEach(NativeTensors::delete);
            }
            changed = false;
        }
        return scorer.evaluate(batch);
    }

    @Override
    public OptionalDouble deadUnits() {
        return scorer.deadUnits();
    }

    @Override
    public List<LiveTensor> tensors() {
        return variables.show();
    }

    @Override
    public void tensorsRestored() {
        variables.written();
        changed = true;
    }

    @Override
    public void close() {
        closeQueues();
        scorer.close();
        variables.close();
    }

    /// Also lets go of workers that still wait.
    private void closeQueues() {
        if (queues != null) {
            queues.close();
            queues = null;
        }
    }
}
