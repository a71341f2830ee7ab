package dev.cairn.cluster.member;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.codec.ElementType;
import dev.cairn.engine.Batch;
import dev.cairn.engine.Engine;
import dev.cairn.engine.GroupLearner;
import dev.cairn.engine.LocalLearner;
import dev.cairn.engine.Model;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.Score;
import dev.cairn.engine.Update;
import dev.cairn.engine.group.GradientExchange;
import dev.cairn.store.Role;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentSkipListMap;

/// An engine whose model counts: weight `i` is the number of times that the training has used example `i`. An example
/// is known by its label, so there are at most 256.
public final class CountingEngine implements Engine {
    /// Called before each step on the thread that makes it.
    interface BeforeStep {
        /// Called before each step.
        ///
        /// @param counts the state of the learner
        void at(long step, MemorySegment counts);
    }

    /// What is seen of a training.
    static final class Seen {
        /// The sizes of the shares of each finished step.
        final Map<Long, List<Integer>> shares = new ConcurrentSkipListMap<>();

        /// The counts that each learner had at its end.
        final List<float[]> counts = Collections.synchronizedList(new ArrayList<>());

        final BeforeStep before;
        final int examples;

        Seen(int examples, BeforeStep before) {
            this.examples = examples;
            this.before = before;
        }
    }

    private static volatile Seen now = new Seen(1, (_, _) -> {});

    static void record(Seen next) {
        now = next;
    }

    @Override
    public String name() {
        return "counting";
    }

    @Override
    public LocalLearner learner(Model model, OptimizerSpec optimizer, long seed, int threads) {
        return new Counting(now);
    }

    @Override
    public String describe() {
        return "counting";
    }

    private record Counting(Seen record, MemorySegment counts) implements GroupLearner {
        Counting(Seen record) {
            this(record, Arena.ofAuto().allocate(ValueLayout.JAVA_FLOAT, record.examples));
        }

        @Override
        public float step(GroupBatch mine, Update update, GradientExchange exchange, Runnable beforeUpdate) {
            record.before.at(update.step(), counts);
            var share = (Batch.Labelled) mine.examples();
            try (Arena arena = Arena.ofConfined()) {
                int floats = record.examples + GradientExchange.OWN_FLOATS;
                MemorySegment used = arena.allocate(ValueLayout.JAVA_FLOAT, floats);
                for (int i = 0; i < share.size(); i++) {
                    add(used, share.labels().getAtIndex(ValueLayout.JAVA_LONG, i), 1);
                }
                exchange.sum(used, share.size());
                record.shares
                        .computeIfAbsent(update.step(), _ -> Collections.synchronizedList(new ArrayList<>()))
                        .add(share.size());
                beforeUpdate.run();
                for (int i = 0; i < record.examples; i++) {
                    add(counts, i, used.getAtIndex(ValueLayout.JAVA_FLOAT, i));
                }
            }
            return 1;
        }

        private static void add(MemorySegment floats, long place, float value) {
            floats.setAtIndex(ValueLayout.JAVA_FLOAT, place, floats.getAtIndex(ValueLayout.JAVA_FLOAT, place) + value);
        }

        @Override
        public float step(Batch batch, Update update, Runnable beforeUpdate) {
            throw new UnsupportedOperationException("only with others");
        }

        @Override
        public Score evaluate(Batch batch) {
            return new Score(batch.size(), 0, batch.size());
        }

        @Override
        public OptionalDouble deadUnits() {
            return OptionalDouble.empty();
        }

        @Override
        public List<LiveTensor> tensors() {
            return List.of(LiveTensor.of("counts", Role.WEIGHT, ElementType.FLOAT32, counts, record.examples));
        }

        @Override
        public void tensorsRestored() {}

        @Override
        public void close() {
            record.counts.add(counts.toArray(ValueLayout.JAVA_FLOAT));
        }
    }
}
