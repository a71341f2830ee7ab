package dev.cairn.checkpoint.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.store.Attributes;
import dev.cairn.store.location.RunLocation;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Groups whose processes are threads of this test.
@Timeout(300)
class GroupCheckpointsTest {
    private static final int SAVE_EVERY = 10;

    @TempDir
    Path folder;

    private interface Act {
        Object by(Threads.Member group, State state) throws Exception;
    }

    @Test
    void allContinueFromTheCheckpointOfOneAndAnotherNumberMayGoOn() throws Exception {
        assertThat(each(3, (group, state) -> train(group, state, 25))).containsOnly("from 0 to 25: 25.0, epoch 2");
        assertThat(each(2, (group, state) -> train(group, state, 40))).containsOnly("from 25 to 40: 40.0, epoch 4");
        var alone = new State(9);
        try (Checkpoints checkpoints = Checkpoints.open(folder.resolve("run"), options())) {
            assertThat(checkpoints.resume(alone)).isEqualTo(40);
        }
        assertThat(alone.weights).containsOnly(40);
    }

    @Test
    void withoutACheckpointAllBeginWithTheStateOfTheFirst() throws Exception {
        List<Object> begun = each(3, (group, state) -> {
            Arrays.fill(state.weights, group.rank() + 7);
            try (var checkpoints = open(group)) {
                return checkpoints.resume(state) + ": " + state.weights[3];
            }
        });
        assertThat(begun).containsOnly("0: 7.0");
    }

    @Test
    void aFlippedBitIsNamedOnAllAndNothingOfItIsSaved() throws Exception {
        List<Object> told = each(3, (group, state) -> {
            try (var checkpoints = open(group)) {
                checkpoints.resume(state);
                for (long step = 1; step <= 2 * SAVE_EVERY; step++) {
                    checkpoints.beforeUpdate();
                    state.step();
                    if (group.rank() == 1 && step == SAVE_EVERY + 3) {
                        state.weights[5] = Float.intBitsToFloat(Float.floatToRawIntBits(state.weights[5]) ^ 1);
                    }
                    checkpoints.afterStep(step, state, false);
                }
                return "nothing";
            } catch (StatesDifferException e) {
                return e.ranks() + " " + e.getMessage();
            }
        });
        assertThat(told).hasSize(3).containsOnly(told.getFirst());
        assertThat(told.getFirst()).asString().contains("[1] rank 1: another state than that of the others at step 20");
        try (Checkpoints checkpoints = Checkpoints.open(folder.resolve("run"), options())) {
            assertThat(checkpoints.newestRecord().orElseThrow().step()).isEqualTo(SAVE_EVERY);
        }
    }

    @Test
    void whenOneMustStopAllDoAfterTheSameStep() throws Exception {
        List<Object> stopped = each(3, (group, state) -> {
            try (var checkpoints = open(group)) {
                long step = checkpoints.resume(state);
                boolean stops = false;
                while (!stops) {
                    checkpoints.beforeUpdate();
                    state.step();
                    stops = checkpoints.afterStep(++step, state, group.rank() == 2 && step == 13);
                }
                return step + " " + checkpoints.saveNow(step, state);
            }
        });
        assertThat(stopped).containsOnly("13 true");
    }

    @Test
    void otherTensorsAreRefusedEverywhere() throws Exception {
        List<Object> told = each(2, (group, _) -> {
            var own = new State(4 + group.rank());
            try (var checkpoints = open(group)) {
                return checkpoints.resume(own);
            } catch (IllegalStateException e) {
                return String.valueOf(e.getMessage());
            }
        });
        assertThat(told).allSatisfy(message -> assertThat(message).asString().contains("different tensors"));
    }

    private String train(Threads.Member group, State state, long steps) throws IOException {
        try (var checkpoints = open(group)) {
            long from = checkpoints.resume(state);
            long step = from;
            while (step < steps) {
                checkpoints.beforeUpdate();
                state.step();
                checkpoints.afterStep(++step, state, false);
            }
            checkpoints.saveNow(step, state);
            return "from %d to %d: %s, epoch %d".formatted(from, step, state.weights[0], state.epoch);
        }
    }

    private GroupCheckpoints open(Group group) throws IOException {
        return GroupCheckpoints.open(new RunLocation.Folder(folder.resolve("run")), options(), group);
    }

    private static CheckpointOptions options() {
        return CheckpointOptions.defaults().withPolicy(new SavePolicy.EverySteps(SAVE_EVERY));
    }

    private static List<Object> each(int size, Act act) throws Exception {
        var threads = new Threads(size);
        var results = new ArrayList<>();
        try (ExecutorService executor = Executors.newFixedThreadPool(size)) {
            var begun = new ArrayList<Future<Object>>();
            for (int i = 0; i < size; i++) {
                int rank = i;
                begun.add(executor.submit(() -> act.by(threads.new Member(rank), new State(9))));
            }
            for (Future<Object> each : begun) {
                results.add(each.get());
            }
        }
        return results;
    }

    private static final class State implements TrainingState {
        private final float[] weights;
        private long epoch;

        State(int count) {
            weights = new float[count];
        }

        void step() {
            for (int i = 0; i < weights.length; i++) {
                weights[i]++;
            }
            epoch = (long) weights[0] / 10;
        }

        @Override
        public List<LiveTensor> tensors() {
            return List.of(LiveTensor.weight("weights", weights));
        }

        @Override
        public Attributes attributes() {
            return Attributes.empty().with("epoch", epoch);
        }

        @Override
        public void restored(long step, Attributes attributes) {
            epoch = attributes.integer("epoch").orElseThrow();
        }
    }

    /// Threads that wait for each other.
    private static final class Threads {
        private final double[][] numbers;
        private final MemorySegment[] bytes;
        private final CyclicBarrier barrier;

        Threads(int size) {
            numbers = new double[size][];
            bytes = new MemorySegment[size];
            barrier = new CyclicBarrier(size);
        }

        private void meet() {
            try {
                barrier.await();
            } catch (InterruptedException | BrokenBarrierException e) {
                throw new IllegalStateException(e);
            }
        }

        final class Member implements Group {
            private final int rank;

            Member(int rank) {
                this.rank = rank;
            }

            @Override
            public int rank() {
                return rank;
            }

            @Override
            public int size() {
                return numbers.length;
            }

            @Override
            public void sum(double[] mine) {
                numbers[rank] = mine;
                meet();
                double[] sums = new double[mine.length];
                for (double[] each : numbers) {
                    for (int i = 0; i < sums.length; i++) {
                        sums[i] += each[i];
                    }
                }
                meet();
                System.arraycopy(sums, 0, mine, 0, sums.length);
            }

            @Override
            public void broadcast(MemorySegment mine) {
                bytes[rank] = mine;
                meet();
                mine.copyFrom(bytes[0]);
                meet();
            }
        }
    }
}
