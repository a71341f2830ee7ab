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
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// The chief of a synchronous training, in the process of the server. A step is two runs: the first waits for the
/// gradients of the workers and changes nothing, the second changes the variables and waits for nobody.
final class TensorFlowServer implements ParameterServer {
    private final String target;
    private final ServedVariables variables;
    private final ServerScores scores;
    private final int weights;
    private final int rows;
    private @Nullable ChiefQueues queues;
    private @Nullable Round round;
    private long abandoned;
    private long updates;

    TensorFlowServer(String target, Model model, OptimizerSpec optimizer, long seed, int threads) {
        this.target = target;
        this.weights = model.parameters().size();
        this.rows = GradientRows.of(model).count();
        this.variables = new ServedVariables(target, model, optimizer);
        this.scores = new ServerScores(new LocalModel(model, seed, threads), variables::weights);
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
        Sums sums = LostWorkers.reaching(() -> queues().sums(task));
        try {
            beforeUpdate.run();
            variables.update(sums.gradients(), sums.examples(), update);
            scores.weightsChanged();
            return new Made((float) (sums.loss() / sums.examples()), sums.examples(), sums.stale());
        } finally {
            sums.close();
        }
    }

    @Override
    public void give(int worker, Task task) {
        LostWorkers.reaching(() -> {
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
        ChiefQueues.Arrival come = LostWorkers.reaching(() -> queues().next());
        try (Sums sums = come.sums()) {
            beforeUpdate.run();
            variables.count(++updates); // before the weights change, so that nobody believes them to be older
            variables.update(sums.gradients(), sums.examples(), update);
            scores.weightsChanged();
            return new Taken(come.worker(), (float) (sums.loss() / sums.examples()), sums.examples(), come.score());
        }
    }

    private ChiefQueues queues() {
        if (queues == null) {
            throw new IllegalStateException("no generation has begun");
        }
        return queues;
    }

    @Override
    public Score evaluate(Batch batch) {
        return scores.evaluate(batch);
    }

    @Override
    public OptionalDouble deadUnits() {
        return scores.deadUnits();
    }

    @Override
    public List<LiveTensor> tensors() {
        return variables.show();
    }

    @Override
    public void tensorsRestored() {
        variables.written();
        scores.weightsChanged();
    }

    @Override
    public void close() {
        closeQueues();
        scores.close();
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
