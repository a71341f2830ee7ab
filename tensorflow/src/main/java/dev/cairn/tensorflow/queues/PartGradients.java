package dev.cairn.tensorflow.queues;

import static org.tensorflow.internal.c_api.global.tensorflow.TF_FLOAT;

import dev.cairn.engine.Parameter;
import dev.cairn.engine.group.BrokenGroupException;
import dev.cairn.tensorflow.queues.ChiefQueues.Answer;
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

/// The gradients of one generation in one of several servers, as the chief uses them. They stay there: the chief only
/// says which of them are added up. A sum is a variable beside the weights, and changes nothing else.
public final class PartGradients implements AutoCloseable {
    private final String target;
    private final PartRound round;
    private final Session session;
    private final List<Call> begin = new ArrayList<>();
    private final List<Call> add = new ArrayList<>();
    private final List<Call> drop = new ArrayList<>();

    /// @param target the server
    public PartGradients(String target, PartRound round) {
        this.target = target;
        this.round = round;
        var graph = new GraphBuilder();
        List<Output> sums = round.weights().stream()
                .map(weight -> PartRound.sum(graph, weight))
                .toList();
        var graphs = new ArrayList<Taking>();
        for (int worker = 0; worker < round.generation().workers(); worker++) {
            graphs.add(new Taking(
                    taken(graph, worker, "AssignVariableOp", sums),
                    taken(graph, worker, "AssignAddVariableOp", sums),
                    taken(graph, worker, "", sums)));
        }
        this.session = Session.of(target, graph);
        for (Taking each : graphs) {
            begin.add(call(each.begin()));
            add.add(call(each.add()));
            drop.add(call(each.drop()));
        }
    }

    private record Taking(Taken begin, Taken add, Taken drop) {}

    /// A gradient that is taken from its queue.
    private record Taken(Output mark, List<TF_Operation> changes) {}

    private Call call(Taken taken) {
        return session.call(List.of(), List.of(taken.mark()), taken.changes());
    }

    private Taken taken(GraphBuilder graph, int worker, String change, List<Output> sums) {
        TF_Operation taking = graph.node("QueueDequeueV2")
                .in(round.gradients(graph, worker))
                .types("component_types", round.types())
                .operation();
        var changes = new ArrayList<TF_Operation>();
        for (int i = 0; i < sums.size() && !change.isEmpty(); i++) {
            changes.add(graph.node(change)
                    .in(sums.get(i))
                    .in(new Output(taking, i))
                    .type("dtype", TF_FLOAT)
                    .operation());
        }
        return new Taken(new Output(taking, round.weights().size()), changes);
    }

    /// Adds up the gradients of these answers, in their order. Those that are not fresh are dropped.
    ///
    /// @throws BrokenGroupException if one was computed for another step
    public void addUp(List<Answer> answers, long step) {
        boolean begun = false;
        for (Answer answer : answers) {
            List<Call> calls = !answer.isFresh() ? drop : begun ? add : begin;
            long came = step(calls.get(answer.worker()).run(List.of()).getFirst());
            if (answer.isFresh() && came != step) {
                throw new BrokenGroupException("a worker has sent a gradient twice", new IllegalStateException());
            }
            begun |= answer.isFresh();
        }
    }

    private static long step(TF_Tensor mark) {
        MemorySegment numbers = NativeTensors.memory(mark);
        long step = numbers.getAtIndex(ValueLayout.JAVA_LONG, 1);
        NativeTensors.delete(mark);
        return step;
    }

    /// The weights whose gradients these are.
    public List<Parameter> weights() {
        return round.weights();
    }

    /// Lets go of workers that still wait, and removes the queues.
    @Override
    public void close() {
        round.close(target);
        session.close();
        round.remove(target);
    }
}
