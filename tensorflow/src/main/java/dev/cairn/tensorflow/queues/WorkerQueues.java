package dev.cairn.tensorflow.queues;

import static org.tensorflow.internal.c_api.global.tensorflow.TF_DOUBLE;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_FLOAT;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_INT64;

import dev.cairn.engine.Parameter;
import dev.cairn.engine.Score;
import dev.cairn.engine.server.Task;
import dev.cairn.tensorflow.model.GradientRows;
import dev.cairn.tensorflow.runtime.Call;
import dev.cairn.tensorflow.runtime.GraphBuilder;
import dev.cairn.tensorflow.runtime.NativeTensors;
import dev.cairn.tensorflow.runtime.Output;
import dev.cairn.tensorflow.runtime.Session;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.tensorflow.internal.c_api.TF_Operation;
import org.tensorflow.internal.c_api.TF_Tensor;

/// The queues of a generation as one worker uses them: a session in the server.
public final class WorkerQueues implements WorkerSide {
    private final int rank;
    private final boolean counted;
    private final Session session;
    private final Call next;
    private final Call answer;

    /// @param target the server
    public WorkerQueues(String target, Round round, int rank, List<Parameter> parameters, GradientRows rows) {
        this.rank = rank;
        var graph = new GraphBuilder();
        Output task = graph.node("QueueDequeueV2")
                .in(round.tasks(graph, rank))
                .types("component_types", TF_INT64)
                .output();
        var got = new ArrayList<Output>(List.of(task));
        List<TF_Operation> reads = new ArrayList<>();
        var sent = new ArrayList<Output>();
        for (Parameter parameter : parameters) {
            long[] shape = parameter.shape().stream().mapToLong(Long::longValue).toArray();
            Output variable = graph.node("VarHandleOp", parameter.name())
                    .type("dtype", TF_FLOAT)
                    .shape("shape", shape)
                    .text("shared_name", parameter.name())
                    .output();
            Output read = graph.node("ReadVariableOp")
                    .in(variable)
                    .type("dtype", TF_FLOAT)
                    .after(task.operation()) // the weights of that step
                    .output();
            got.add(read);
            reads.add(read.operation());
            sent.add(graph.placeholder(TF_FLOAT, rows.shape(parameter.shape())));
        }
        for (int set = 0; set < rows.count(); set++) {
            sent.add(graph.placeholder(TF_INT64, -1));
        }
        this.counted = !reads.isEmpty();
        if (counted) {
            GraphBuilder.Node count =
                    graph.node("ReadVariableOp").in(updates(graph)).type("dtype", TF_INT64);
            reads.forEach(count::after); // so that the weights are not newer than it tells
            got.add(count.output());
        }
        sent.add(graph.placeholder(TF_FLOAT, 2));
        sent.add(graph.placeholder(TF_DOUBLE, 3));
        sent.add(graph.placeholder(TF_INT64, 2));
        TF_Operation sending = graph.node("QueueEnqueueV2")
                .in(round.gradients(graph, rank))
                .list(sent)
                .operation();
        this.session = Session.of(target, graph);
        this.next = session.call(List.of(), got, List.of());
        this.answer = session.call(sent, List.of(), List.of(sending));
    }

    @Override
    public Order next() {
        List<TF_Tensor> got = next.run(List.of());
        MemorySegment told = NativeTensors.memory(got.getFirst());
        var task = new Task(
                told.getAtIndex(ValueLayout.JAVA_LONG, 0),
                told.getAtIndex(ValueLayout.JAVA_LONG, 1),
                told.getAtIndex(ValueLayout.JAVA_LONG, 2),
                told.getAtIndex(ValueLayout.JAVA_LONG, 3) > 0);
        NativeTensors.delete(got.getFirst());
        if (!counted) {
            return new Order(task, List.of(), 0);
        }
        long updates = NativeTensors.memory(got.getLast()).get(ValueLayout.JAVA_LONG, 0);
        NativeTensors.delete(got.getLast());
        return new Order(task, got.subList(1, got.size() - 1), updates);
    }

    /// The variable in which a server counts its updates.
    public static Output updates(GraphBuilder graph) {
        return graph.node("VarHandleOp", "updates")
                .type("dtype", TF_INT64)
                .shape("shape")
                .text("shared_name", "updates")
                .output();
    }

    @Override
    public void answer(Task task, List<TF_Tensor> found, Score score) {
        TF_Tensor scored = NativeTensors.allocate(TF_DOUBLE, 3 * Double.BYTES, 3);
        TF_Tensor mark = NativeTensors.allocate(TF_INT64, 2 * Long.BYTES, 2);
        try {
            NativeTensors.memory(mark).setAtIndex(ValueLayout.JAVA_LONG, 0, rank);
            NativeTensors.memory(mark).setAtIndex(ValueLayout.JAVA_LONG, 1, task.step());
            var sent = new ArrayList<>(found);
            MemorySegment numbers = NativeTensors.memory(scored);
            numbers.setAtIndex(ValueLayout.JAVA_DOUBLE, 0, score.lossSum());
            numbers.setAtIndex(ValueLayout.JAVA_DOUBLE, 1, (double) score.correct());
            numbers.setAtIndex(ValueLayout.JAVA_DOUBLE, 2, (double) score.count());
            sent.add(scored);
            sent.add(mark);
            answer.run(sent);
        } finally {
            NativeTensors.delete(mark);
            NativeTensors.delete(scored);
            found.forEach(NativeTensors::delete);
        }
    }

    @Override
    public void close() {
        session.close();
    }
}
