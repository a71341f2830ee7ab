package dev.cairn.train.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.engine.Batch;
import dev.cairn.engine.Score;
import dev.cairn.engine.Update;
import dev.cairn.engine.group.BrokenGroupException;
import dev.cairn.engine.group.Traffic;
import dev.cairn.engine.server.Generation;
import dev.cairn.engine.server.ParameterServer;
import dev.cairn.engine.server.Task;
import dev.cairn.train.data.DataOrder;
import dev.cairn.train.data.DataOrder.Cursor;
import dev.cairn.train.data.GlobalOrder;
import dev.cairn.train.data.ShardOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which examples an asynchronous training learns, whatever dies. The workers are simulated: any of them may answer
/// next, or die.
class FreeStepsTest {
    private static final int COUNT = 103;
    private static final int BATCH = 10;
    private static final int WORKERS = 3;
    private static final int EPOCHS = 4;

    /// The state of a training, as a checkpoint keeps it.
    private record State(long step, Cursor cursor, List<Cursor> handedOut, List<Integer> learned) {
        static final State START = new State(0, Cursor.START, List.of(), List.of());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void everyExampleOfEveryEpochIsLearnedOnceWhateverDies(long seed) throws Exception {
        var random = new Random(seed);
        int steps = EPOCHS * Math.ceilDiv(COUNT, BATCH);
        State now = State.START;
        State saved = now;
        Attempt attempt = new Attempt(random, now, steps, false);
        while (now.step() < steps) {
            if (random.nextInt(15) == 0) { // the server dies
                attempt = new Attempt(random, saved, steps, false);
                now = saved;
            }
            now = attempt.step(now);
            if (random.nextInt(4) == 0) {
                saved = now;
            }
        }
        for (int example = 0; example < COUNT; example++) {
            int wanted = example;
            assertThat(now.learned().stream()
                            .filter(learned -> learned == wanted)
                            .count())
                    .as("seed %d example %d", seed, example)
                    .isEqualTo(EPOCHS);
        }
        assertThat(now.handedOut()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void eachWorkerGoesThroughItsShardWithoutAGapWhateverDies(long seed) throws Exception {
        var random = new Random(seed);
        State now = State.START;
        State saved = now;
        Attempt attempt = new Attempt(random, now, 1000, true);
        for (int made = 0; made < 200; made++) {
            if (random.nextInt(15) == 0) {
                attempt = new Attempt(random, saved, 1000, true);
                now = saved;
            }
            now = attempt.step(now);
            if (random.nextInt(4) == 0) {
                saved = now;
            }
        }
        for (int worker = 0; worker < WORKERS; worker++) {
            int shard = worker;
            List<Integer> mine = now.learned().stream()
                    .filter(example -> example % WORKERS == shard)
                    .toList();
            DataOrder order = ShardOrder.ofOne(9, COUNT, worker, WORKERS, 20);
            var expected = new ArrayList<Integer>();
            for (int i = 0; i < mine.size(); i++) {
                expected.add(order.exampleAt(Cursor.START, i));
            }
            assertThat(mine).as("seed %d worker %d", seed, worker).isEqualTo(expected);
        }
    }

    @Test
    void whatIsGivenOutAgainIsCounted() throws Exception {
        var random = new Random(6);
        var attempt = new Attempt(random, State.START, 1000, false);
        State now = State.START;
        for (int made = 0; made < 100; made++) {
            now = attempt.step(now);
        }
        assertThat(attempt.repeated).isEqualTo(attempt.server.lost).isPositive();
    }

    /// A process with the server.
    private static final class Attempt {
        final SimulatedServer server;
        private final FreeSteps steps;
        private final boolean sharded;
        private long repeated;
        private State now;

        Attempt(Random random, State from, long last, boolean sharded) {
            this.now = from;
            this.sharded = sharded;
            this.server = new SimulatedServer(random);
            Dealer dealer = sharded
                    ? new ShardDealer(COUNT, WORKERS, BATCH)
                    : new GlobalDealer(new GlobalOrder(9, COUNT), BATCH);
            this.steps = new FreeSteps(server, new SimulatedMeeting(), dealer, 100, new FreeSteps.Progress() {
                @Override
                public long step() {
                    return now.step();
                }

                @Override
                public long lastStep() {
                    return last;
                }

                @Override
                public List<Cursor> handedOut() {
                    return now.handedOut();
                }
            });
        }

        State step(State before) throws Exception {
            now = before;
            Steps.Made made = steps.make(before.cursor(), new Update(before.step() + 1, 0.1), () -> {});
            repeated += made.staleness().repeated();
            var learned = new ArrayList<>(before.learned());
            Cursor at = new Cursor(server.taken.epoch(), (int) server.taken.position());
            DataOrder order =
                    sharded ? ShardOrder.ofOne(9, COUNT, server.takenFrom, WORKERS, 20) : new GlobalOrder(9, COUNT);
            for (int i = 0; i < order.sizeAt(at, BATCH); i++) {
                learned.add(order.exampleAt(at, i));
            }
            return new State(before.step() + 1, made.next(), made.handedOut(), learned);
        }
    }

    private static final class SimulatedMeeting implements Meeting {
        private long generation;

        @Override
        public Optional<Place> await(long step, boolean isServer) {
            return Optional.of(new Place(new Generation(++generation, WORKERS, 0), -1, List.of("")));
        }

        @Override
        public int servers() {
            return 1;
        }

        @Override
        public void serves(String address) {}

        @Override
        public void finished(long step) {}

        @Override
        public void worked(Work done) {}

        @Override
        public void aged(long age) {}

        @Override
        public void exchanged(Traffic traffic) {}

        @Override
        public void leaves(long generation) {}

        @Override
        public void onBroken(LongConsumer broken) {}
    }

    /// Answers in any order. Now and then a worker dies, and all that was given out is lost.
    private static final class SimulatedServer implements ParameterServer {
        private final Random random;
        private final Map<Integer, Task> given = new HashMap<>();
        private Task taken = new Task(0, 0, 0, false);
        private int takenFrom;
        private long lost;

        SimulatedServer(Random random) {
            this.random = random;
        }

        @Override
        public void give(int worker, Task task) {
            assertThat(given).doesNotContainKey(worker);
            given.put(worker, task);
        }

        @Override
        public Taken take(Update update, Runnable beforeUpdate) {
            if (random.nextInt(8) == 0) {
                lost += given.size();
                throw new BrokenGroupException("a worker is gone", new IllegalStateException());
            }
            List<Integer> workers = given.keySet().stream().sorted().toList();
            takenFrom = workers.get(random.nextInt(workers.size()));
            taken = Objects.requireNonNull(given.remove(takenFrom));
            return new Taken(takenFrom, 1, BATCH, Score.NONE);
        }

        @Override
        public void begin(Generation generation, List<String> servers) {
            given.clear();
        }

        @Override
        public String address() {
            return "";
        }

        @Override
        public void abandon(long generation) {}

        @Override
        public Made step(Task task, Update update, Runnable beforeUpdate) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Score evaluate(Batch batch) {
            throw new UnsupportedOperationException();
        }

        @Override
        public OptionalDouble deadUnits() {
            return OptionalDouble.empty();
        }

        @Override
        public List<LiveTensor> tensors() {
            return List.of();
        }

        @Override
        public void tensorsRestored() {}

        @Override
        public void close() {}
    }
}
