package dev.cairn.tensorflow;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.engine.Batch;
import dev.cairn.engine.Model;
import dev.cairn.engine.Parameter;
import dev.cairn.engine.Score;
import dev.cairn.engine.group.Connections;
import dev.cairn.engine.group.Traffic;
import dev.cairn.engine.server.Generation;
import dev.cairn.engine.server.GradientWorker;
import dev.cairn.engine.server.Task;
import dev.cairn.tensorflow.model.GradientRows;
import dev.cairn.tensorflow.queues.Round;
import dev.cairn.tensorflow.queues.ServerCalls;
import dev.cairn.tensorflow.queues.SpreadQueues;
import dev.cairn.tensorflow.queues.WorkerQueues;
import dev.cairn.tensorflow.queues.WorkerSide;
import dev.cairn.tensorflow.queues.WorkerSide.Order;
import dev.cairn.tensorflow.runtime.NativeTensors;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.tensorflow.internal.c_api.TF_Tensor;

/// A worker of a synchronous training. It computes in its own process, and is a client of the server.
final class TensorFlowWorker implements GradientWorker {
    /// More than the ranks of any training, so that no two of them draw the same random numbers.
    private static final int RANKS = 1 << 10;

    private final List<Parameter> parameters;
    private final GradientRows rows;
    private final LocalModel model;
    private final Map<Integer, String> before = Connections.openSockets();
    private final Connections connections = Connections.since(before);
    private @Nullable WorkerSide queues;
    private @Nullable ServerCalls calls;
    private List<TF_Tensor> computed = List.of();
    private @Nullable Task computedFor;
    private int rank;
    private long joined;
    private long updates;
    private long abandoned;

    TensorFlowWorker(Model model, long seed, int threads) {
        this.parameters = model.parameters();
        this.rows = GradientRows.of(model);
        this.model = new LocalModel(model, seed, threads);
    }

    @Override
    public void join(List<String> servers, Generation generation, int place) {
        leave();
        rank = place;
        var client = new ServerCalls();
        synchronized (this) {
            calls = client;
            joined = generation.number();
            if (abandoned >= joined) {
                client.abandon();
            }
        }
        queues = client.make(() -> servers.size() == 1
                ? new WorkerQueues(
                        servers.getFirst(),
                        new Round(generation, parameters.size(), rows.count()),
                        place,
                        parameters,
                        rows)
                : new SpreadQueues(servers, generation, place, parameters));
    }

    @Override
    public synchronized void abandon(long generation) {
        abandoned = Math.max(abandoned, generation);
        if (calls != null && joined <= abandoned) {
            calls.abandon();
        }
    }

    @Override
    public Task next() {
        WorkerSide joinedQueues = queues();
        try (Order order = calls().make(joinedQueues::next)) {
            model.set(order.weights());
            updates = order.updates();
            return order.task();
        }
    }

    @Override
    public Task nextTask() {
        WorkerSide joinedQueues = queues();
        try (Order order = calls().make(joinedQueues::next)) {
            return order.task();
        }
    }

    @Override
    public long updates() {
        return updates;
    }

    @Override
    public List<LiveTensor> tensors() {
        return model.tensors();
    }

    @Override
    public void tensorsRestored() {
        model.written();
    }

    @Override
    public double compute(Task task, Batch examples) {
        forget();
        computed = model.gradients(examples, task.step() * RANKS + rank);
        computedFor = task;
        MemorySegment losses = NativeTensors.memory(computed.getLast());
        return losses.getAtIndex(ValueLayout.JAVA_FLOAT, 0) / losses.getAtIndex(ValueLayout.JAVA_FLOAT, 1);
    }

    @Override
    public void answer(Score score) {
        Task task = computedFor;
        List<TF_Tensor> found = computed;
        computed = List.of(); // the call deletes them
        if (task == null) {
            throw new IllegalStateException("nothing is computed");
        }
        WorkerSide joinedQueues = queues();
        calls().make(() -> {
            joinedQueues.answer(task, found, score);
            return task;
        });
    }

    private void forget() {
        computed.forEach(NativeTensors::delete);
        computed = List.of();
    }

    private WorkerSide queues() {
        if (queues == null) {
            throw new IllegalStateException("this worker has joined no server");
        }
        return queues;
    }

    private synchronized ServerCalls calls() {
        if (calls == null) {
            throw new IllegalStateException("this worker has joined no server");
        }
        return calls;
    }

    @Override
    public Score evaluate(Batch batch) {
        return model.evaluate(batch);
    }

    @Override
    public OptionalDouble deadUnits() {
        return model.deadUnits();
    }

    @Override
    public Optional<Traffic> traffic() {
        connections.addSince(before);
        return connections.look();
    }

    @Override
    public void close() {
        leave();
        forget();
        model.close();
    }

    private synchronized void leave() {
        WorkerSide left = queues;
        queues = null;
        if (calls != null) {
            calls.end(() -> {
                if (left != null) {
                    left.close();
                }
            });
            calls = null;
        }
    }
}
