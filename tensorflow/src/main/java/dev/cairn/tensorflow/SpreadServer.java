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
import dev.cairn.tensorflow.queues.ChiefQueues;
import dev.cairn.tensorflow.queues.ChiefQueues.Answer;
import dev.cairn.tensorflow.queues.ChiefQueues.Sums;
import dev.cairn.tensorflow.queues.PartEnd;
import dev.cairn.tensorflow.queues.PartGradients;
import dev.cairn.tensorflow.queues.PartRound;
import dev.cairn.tensorflow.queues.Round;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// The chief of several servers, in the process of the first one. Each server has some of the weights, and gets their
/// gradients from the workers. The chief gives out the tasks, and says which gradients are used. These do not pass
/// through it.
///
/// If one of the servers dies, its part of the state is lost. So this process must end, too.
final class SpreadServer implements ParameterServer {
    private final String target;
    private final SpreadVariables variables;
    private final ServerScores scores;
    private final List<PartGradients> parts = new ArrayList<>();
    private List<String> servers;
    private @Nullable ChiefQueues queues;
    private @Nullable Generation begun;
    private long abandoned;

    SpreadServer(String target, int servers, Model.Network model, OptimizerSpec optimizer, long seed, int threads) {
        this.target = target;
        this.servers = List.of(target);
        this.variables = new SpreadVariables(target, servers, model.parameters(), optimizer, seed);
        this.scores = new ServerScores(new LocalModel(model, seed, threads), variables::weights);
    }

    @Override
    public String address() {
        return target;
    }

    @Override
    public void begin(Generation generation, List<String> addresses) {
        LostWorkers.reaching(() -> {
            closeQueues();
            variables.moveTo(addresses);
            synchronized (this) {
                servers = addresses;
            }
            for (int server = 0; server < variables.servers(); server++) {
                var round = new PartRound(generation, variables.weights(server));
                parts.add(new PartGradients(addresses.get(server), round));
            }
            queues = new ChiefQueues(target, new Round(generation, 0));
            return generation;
        });
        synchronized (this) {
            begun = generation;
            if (abandoned >= generation.number()) {
                throw new BrokenGroupException("a worker is gone", new IllegalStateException());
            }
        }
    }

    @Override
    public synchronized void abandon(long generation) {
        abandoned = Math.max(abandoned, generation);
        Generation now = begun;
        if (now != null && now.number() <= generation) {
            new Round(now, 0).close(target);
            for (int server = 0; server < Math.min(servers.size(), variables.servers()); server++) {
                new PartRound(now, variables.weights(server)).close(servers.get(server));
            }
        }
    }

    @Override
    public Made step(Task task, Update update, Runnable beforeUpdate) {
        try (Sums sums = LostWorkers.reaching(() -> addedUp(queues().sums(task), task.step()))) {
            change(sums.examples(), update, beforeUpdate);
            return new Made((float) (sums.loss() / sums.examples()), sums.examples(), sums.stale());
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
    public Taken take(Update update, Runnable beforeUpdate) {
        ChiefQueues.Arrival come = LostWorkers.reaching(() -> queues().next());
        try (Sums sums = LostWorkers.reaching(() -> addedUp(come.sums(), come.step()))) {
            change(sums.examples(), update, beforeUpdate);
            return new Taken(come.worker(), (float) (sums.loss() / sums.examples()), sums.examples(), come.score());
        }
    }

    /// Lets each server add up the same gradients. Changes no weight.
    private Sums addedUp(Sums sums, long step) {
        List<Answer> answers = sums.answers();
        parts.forEach(part -> part.addUp(answers, step));
        return sums;
    }

    private void change(int examples, Update update, Runnable beforeUpdate) {
        beforeUpdate.run();
        variables.update(examples, update);
        scores.weightsChanged();
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
        servers.stream().filter(server -> !server.equals(target)).forEach(PartEnd::tell);
    }

    /// Also lets go of workers that still wait.
    private void closeQueues() {
        if (queues != null) {
            queues.close();
            queues = null;
        }
        parts.forEach(PartGradients::close);
        parts.clear();
    }
}
