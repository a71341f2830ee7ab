package dev.cairn.tensorflow.queues;

import static org.tensorflow.internal.c_api.global.tensorflow.TF_FLOAT;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_INT64;

import dev.cairn.engine.Parameter;
import dev.cairn.engine.Score;
import dev.cairn.engine.server.Generation;
import dev.cairn.engine.server.Placement;
import dev.cairn.engine.server.Task;
import dev.cairn.tensorflow.model.GradientRows;
import dev.cairn.tensorflow.runtime.Call;
import dev.cairn.tensorflow.runtime.GraphBuilder;
import dev.cairn.tensorflow.runtime.NativeTensors;
import dev.cairn.tensorflow.runtime.Output;
import dev.cairn.tensorflow.runtime.Session;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.tensorflow.internal.c_api.TF_Operation;
import org.tensorflow.internal.c_api.TF_Tensor;

/// One worker of several servers. Its tasks come from the first server. From each server it gets the weights that are
/// there, and it sends their gradients there.
public final class SpreadQueues implements WorkerSide {
    private final int rank;
    private final int weights;
    private final WorkerQueues tasks;
    private final List<Part> parts = new ArrayList<>();

    /// @param servers the addresses of the servers
    public SpreadQueues(List<String> servers, Generation generation, int rank, List<Parameter> parameters) {
        this.rank = rank;
        this.weights = parameters.size();
        this.tasks = new WorkerQueues(
                servers.getFirst(), new Round(generation, 0), rank, List.of(), new GradientRows(List.of()));
        Placement placement = Placement.of(servers.size(), weights);
        for (int server = 0; server < placement.servers(); server++) {
            parts.add(new Part(servers.get(server), new PartRound(generation, placement.of(server, parameters)), rank));
        }
    }

    /// What is in one of the servers.
    private static final class Part implements AutoCloseable {
        private final Session session;
        private final Call read;
        private final Call send;

        Part(String target, PartRound round, int rank) {
            var graph = new GraphBuilder();
            var values = new ArrayList<Output>();
            var sent = new ArrayList<Output>();
            for (Parameter weight : round.weights()) {
                values.add(graph.node("ReadVariableOp")
                        .in(PartRound.variable(graph, weight.name(), weight))
                        .type("dtype", TF_FLOAT)
                        .output());
                sent.add(graph.placeholder(TF_FLOAT, PartRound.shape(weight)));
            }
            sent.add(graph.placeholder(TF_INT64, 2));
            TF_Operation sending = graph.node("QueueEnqueueV2")
                    .in(round.gradients(graph, rank))
                    .list(sent)
                    .operation();
            this.session = Session.of(target, graph);
            this.read = session.call(List.of(), values, List.of());
            this.send = session.call(sent, List.of(), List.of(sending));
        }

        @Override
        public void close() {
            session.close();
        }
    }

    @Override
    public Order next() {
        try (Order order = tasks.next()) {
            var all = new TF_Tensor[weights];
            for (int server = 0; server < parts.size(); server++) {
                List<TF_Tensor> values = parts.get(server).read.run(List.of());
                for (int i = 0; i < values.size(); i++) {
                    all[server + i * parts.size()] = values.get(i);
                }
            }
            return new Order(order.task(), Arrays.asList(all), 0);
        }
    }

    @Override
    public void answer(Task task, List<TF_Tensor> found, Score score) {
        TF_Tensor mark = NativeTensors.allocate(TF_INT64, 2 * Long.BYTES, 2);
        try {
            NativeTensors.memory(mark).setAtIndex(ValueLayout.JAVA_LONG, 0, rank);
            NativeTensors.memory(mark).setAtIndex(ValueLayout.JAVA_LONG, 1, task.step());
            for (int server = 0; server < parts.size(); server++) {
                var mine = new ArrayList<TF_Tensor>();
                for (int i = server; i < weights; i += parts.size()) {
                    mine.add(found.get(i));
                }
                mine.add(mark);
                parts.get(server).send.run(mine);
            }
        } finally {
            NativeTensors.delete(mark);
            found.subList(0, weights).forEach(NativeTensors::delete);
        }
        tasks.answer(task, List.of(found.getLast()), score);
    }

    @Override
    public void close() {
        parts.forEach(Part::close);
        tasks.close();
    }
}
