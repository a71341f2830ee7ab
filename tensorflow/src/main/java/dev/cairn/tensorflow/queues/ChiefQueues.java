package dev.cairn.tensorflow.queues;

import static org.tensorflow.internal.c_api.global.tensorflow.TF_INT64;

import dev.cairn.engine.Score;
import dev.cairn.engine.group.BrokenGroupException;
import dev.cairn.engine.server.Task;
import dev.cairn.tensorflow.runtime.Call;
import dev.cairn.tensorflow.runtime.GraphBuilder;
import dev.cairn.tensorflow.runtime.NativeTensors;
import dev.cairn.tensorflow.runtime.Output;
import dev.cairn.tensorflow.runtime.Session;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.tensorflow.internal.c_api.TF_Operation;
import org.tensorflow.internal.c_api.TF_Tensor;

/// The queues of a generation as the server's process uses them: gives out tasks, and adds up the gradients.
///
/// Sums are made by a chain of additions of two, in a fixed order: an addition of many at once takes them in any.
public final class ChiefQueues implements AutoCloseable {
    private final String target;
    private final Round round;
    private final Session session;
    private final List<Call> tasks = new ArrayList<>();

    /// Takes one gradient of each worker, and adds them up; or takes the next one that comes.
    private final Call arrived;

    /// Adds up gradients that have come.
    private final Call sum;

    /// The workers that have a task and have not answered.
    private final boolean[] busy;

    /// The steps of their tasks.
    private final long[] steps;

    /// @param target the server
    public ChiefQueues(String target, Round round) {
        this.target = target;
        this.round = round;
        this.busy = new boolean[round.generation().workers()];
        this.steps = new long[busy.length];
        var graph = new GraphBuilder();
        Output task = graph.placeholder(TF_INT64, Round.NUMBERS);
        var given = new ArrayList<TF_Operation>();
        for (int worker = 0; worker < busy.length; worker++) {
            given.add(graph.node("QueueEnqueueV2")
                    .in(round.tasks(graph, worker))
                    .list(List.of(task))
                    .operation());
        }
        boolean all = round.generation().waitsForAll();
        List<List<Output>> taken = IntStream.range(0, all ? busy.length : 1)
                .mapToObj(worker -> dequeued(graph, worker))
                .toList();
        var fed = new ArrayList<Output>();
        List<List<Output>> kept = new ArrayList<>();
        for (int gradient = 0; gradient < round.generation().fresh(); gradient++) {
            List<Output> parts = IntStream.range(0, round.parts() + 1)
                    .mapToObj(part -> graph.node("Placeholder")
                            .type("dtype", round.types()[part])
                            .output()) // of any shape
                    .toList();
            fed.addAll(parts);
            kept.add(parts);
        }
        this.session = Session.on(target, graph);
        given.forEach(give -> tasks.add(session.call(List.of(task), List.of(), List.of(give))));
        this.arrived = session.call(List.of(), all ? chainWithMarks(graph, taken) : taken.getFirst(), List.of());
        this.sum = session.call(fed, kept.isEmpty() ? List.of() : chain(graph, kept), List.of());
    }

    private List<Output> dequeued(GraphBuilder graph, int worker) {
        TF_Operation taking = graph.node("QueueDequeueV2")
                .in(round.gradients(graph, worker))
                .types("component_types", round.types())
                .operation();
        return IntStream.range(0, round.parts() + Round.MARKS)
                .mapToObj(i -> new Output(taking, i))
                .toList();
    }

    /// The sum of the gradients, and the sum of the losses with the number of examples.
    private List<Output> chain(GraphBuilder graph, List<List<Output>> each) {
        var sums = new ArrayList<Output>();
        for (int part = 0; part <= round.parts(); part++) {
            int number = part;
            List<Output> all = each.stream().map(parts -> parts.get(number)).toList();
            sums.add(part < round.parts() && round.rows() > 0 ? behindEachOther(graph, all) : added(graph, all));
        }
        return sums;
    }

    private static Output added(GraphBuilder graph, List<Output> all) {
        Output sum = graph.unary("Identity", all.getFirst()); // what is fed cannot be fetched
        for (Output next : all.subList(1, all.size())) {
            sum = graph.add(sum, next);
        }
        return sum;
    }

    /// Gradients of rows, which are added up when all rows are known.
    private static Output behindEachOther(GraphBuilder graph, List<Output> all) {
        return all.size() == 1
                ? graph.unary("Identity", all.getFirst())
                : graph.node("ConcatV2").list(all).in(graph.axis(0)).output();
    }

    /// The sums, and behind them the rank and step of each of the workers.
    private List<Output> chainWithMarks(GraphBuilder graph, List<List<Output>> each) {
        List<Output> sums = chain(graph, each);
        each.forEach(parts -> sums.add(parts.getLast()));
        return sums;
    }

    /// An answer of a worker.
    ///
    /// @param isFresh whether its gradients are used: they were computed for the present step
    public record Answer(int worker, boolean isFresh) {}

    /// Gradients that were added up.
    ///
    /// @param answers those that came, in the order in which they were taken
    public record Sums(List<TF_Tensor> gradients, double loss, int examples, List<Answer> answers)
            implements AutoCloseable {
        public Sums {
            answers = List.copyOf(answers);
        }

        /// The number of gradients that came too late, and were dropped.
        public int stale() {
            return (int) answers.stream().filter(answer -> !answer.isFresh()).count();
        }

        @Override
        public void close() {
            gradients.forEach(NativeTensors::delete);
        }
    }

    /// Lets the workers do this task, and returns the sums of their gradients.
    public Sums sums(Task task) {
        TF_Tensor told = told(task);
        try {
            return round.generation().waitsForAll() ? ofAll(task, told) : ofTheFirst(task, told);
        } finally {
            NativeTensors.delete(told);
        }
    }

    private static TF_Tensor told(Task task) {
        TF_Tensor told = NativeTensors.allocate(TF_INT64, (long) Round.NUMBERS * Long.BYTES, Round.NUMBERS);
        MemorySegment numbers = NativeTensors.memory(told);
        numbers.setAtIndex(ValueLayout.JAVA_LONG, 0, task.step());
        numbers.setAtIndex(ValueLayout.JAVA_LONG, 1, task.epoch());
        numbers.setAtIndex(ValueLayout.JAVA_LONG, 2, task.position());
        numbers.setAtIndex(ValueLayout.JAVA_LONG, 3, task.scores() ? 1 : 0);
        return told;
    }

    /// Gives a task to one worker.
    public void give(int worker, Task task) {
        TF_Tensor told = told(task);
        try {
            give(worker, told);
            steps[worker] = task.step();
        } finally {
            NativeTensors.delete(told);
        }
    }

    /// The gradient of one worker.
    ///
    /// @param score its score of the test split; [Score#NONE] if there is none
    public record Arrival(int worker, long step, Score score, Sums sums) {}

    /// Waits for the next gradient of any worker. One that comes twice, because TensorFlow's client has sent it
    /// again, is passed over.
    public Arrival next() {
        while (true) {
            Arrival come = anyNext();
            if (busy[come.worker()] && steps[come.worker()] == come.step()) {
                busy[come.worker()] = false;
                return come;
            }
            come.sums().close();
        }
    }

    private Arrival anyNext() {
        List<TF_Tensor> come = arrived.run(List.of());
        MemorySegment mark = NativeTensors.memory(come.getLast());
        MemorySegment scored = NativeTensors.memory(come.get(round.parts() + 1));
        int worker = (int) mark.getAtIndex(ValueLayout.JAVA_LONG, 0);
        long step = step(come.getLast());
        var score = new Score(
                scored.getAtIndex(ValueLayout.JAVA_DOUBLE, 0),
                (long) scored.getAtIndex(ValueLayout.JAVA_DOUBLE, 1),
                (long) scored.getAtIndex(ValueLayout.JAVA_DOUBLE, 2));
        come.subList(round.parts() + 1, come.size()).forEach(NativeTensors::delete);
        return new Arrival(
                worker, step, score, sums(come.subList(0, round.parts() + 1), List.of(new Answer(worker, true))));
    }

    private Sums ofAll(Task task, TF_Tensor told) {
        tasks.forEach(give -> give.run(List.of(told)));
        List<TF_Tensor> found = arrived.run(List.of());
        List<TF_Tensor> marks = found.subList(round.parts() + 1, found.size());
        boolean right = marks.stream().allMatch(mark -> step(mark) == task.step());
        marks.forEach(NativeTensors::delete);
        List<TF_Tensor> added = found.subList(0, round.parts() + 1);
        if (!right) {
            added.forEach(NativeTensors::delete);
            throw new BrokenGroupException("a worker has sent a gradient twice", new IllegalStateException());
        }
        return sums(
                added,
                IntStream.range(0, busy.length)
                        .mapToObj(worker -> new Answer(worker, true))
                        .toList());
    }

    private static long step(TF_Tensor mark) {
        return NativeTensors.memory(mark).getAtIndex(ValueLayout.JAVA_LONG, 1);
    }

    private Sums ofTheFirst(Task task, TF_Tensor told) {
        for (int worker = 0; worker < busy.length; worker++) {
            if (!busy[worker]) {
                give(worker, told);
            }
        }
        var fresh = new ArrayList<TF_Tensor>();
        var answers = new ArrayList<Answer>();
        try {
            while (fresh.size() < round.generation().fresh() * (round.parts() + 1)) {
                List<TF_Tensor> come = arrived.run(List.of());
                MemorySegment mark = NativeTensors.memory(come.getLast());
                int worker = (int) mark.getAtIndex(ValueLayout.JAVA_LONG, 0);
                boolean isFresh = step(come.getLast()) == task.step();
                come.subList(round.parts() + 1, come.size()).forEach(NativeTensors::delete);
                List<TF_Tensor> parts = come.subList(0, round.parts() + 1);
                busy[worker] = false;
                answers.add(new Answer(worker, isFresh));
                if (isFresh) {
                    fresh.addAll(parts);
                } else {
                    parts.forEach(NativeTensors::delete);
                    give(worker, told);
                }
            }
            return sums(sum.run(fresh), answers);
        } finally {
            fresh.forEach(NativeTensors::delete);
        }
    }

    private void give(int worker, TF_Tensor told) {
        tasks.get(worker).run(List.of(told));
        busy[worker] = true;
    }

    private static Sums sums(List<TF_Tensor> found, List<Answer> answers) {
        MemorySegment losses = NativeTensors.memory(found.getLast());
        double loss = losses.getAtIndex(ValueLayout.JAVA_FLOAT, 0);
        int examples = Math.round(losses.getAtIndex(ValueLayout.JAVA_FLOAT, 1));
        NativeTensors.delete(found.getLast());
        return new Sums(found.subList(0, found.size() - 1), loss, examples, answers);
    }

    /// Lets go of workers that still wait, and removes the queues.
    @Override
    public void close() {
        round.close(target);
        session.close();
        round.remove(target);
    }
}
