package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.checkpoint.CheckpointEvent.Committed;
import dev.cairn.checkpoint.CheckpointEvent.Remedy;
import dev.cairn.checkpoint.CheckpointEvent.TooCoarse;
import dev.cairn.checkpoint.save.SaveCost;
import dev.cairn.codec.ElementType;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.segment.TensorRef;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Targets are met by the values that a reader gets. Coarse checkpoints are repaired or reported. The reported errors
/// are the real ones.
class ErrorTargetTest {
    private static final double GAUSSIAN = 0;
    private static final double HEAVY_TAILED = 2;

    @TempDir
    Path run;

    private final List<CheckpointEvent> events = new CopyOnWriteArrayList<>();

    /// The error that a reader of a checkpoint sees.
    private record Off(Checkpoint checkpoint, double ofState, double ofChange) {}

    @ParameterizedTest
    @CsvSource({"0.01", "0.002"})
    void theErrorRelativeToTheWeightsIsAtItsTarget(double target) throws IOException {
        for (Off off : train("rel:" + target, ElementType.FLOAT32, 8, 0.02, GAUSSIAN)) {
            assertThat(off.ofState()).isBetween(0.8 * target, 1.05 * target);
        }
        assertThat(events(TooCoarse.class)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"lc:auto:0.9, 0", "lc:auto:0.3, 0", "lc:auto, 2"})
    void theBitsOfBucketsAreChosenForTheTarget(String codec, double spread) throws IOException {
        double target = ((Codec.ExponentAuto) Codec.parse(codec)).target();
        for (Off off : train(codec, ElementType.FLOAT32, 8, 0.02, spread)) {
            assertThat(off.ofChange()).isBetween(0.2 * target, 1.1 * target);
        }
    }

    @Test
    void aLooserTargetTakesFewerBits() throws IOException {
        long loose = bytes(train("lc:auto:0.9", ElementType.FLOAT32, 8, 0.02, GAUSSIAN));
        run = run.resolve("tight");
        long tight = bytes(train("lc:auto:0.3", ElementType.FLOAT32, 8, 0.02, GAUSSIAN));
        assertThat(loose).isLessThan(tight);
    }

    @Test
    void recordsTellTheErrorThatWasMade() throws IOException {
        for (String codec : List.of("lossy", "rel:0.004", "lc:2", "lc:auto:0.5")) {
            run = run.resolve("next");
            for (Off off : train(codec, ElementType.FLOAT32, 8, 0.02, GAUSSIAN)) {
                var attributes = off.checkpoint().attributes();
                assertThat(attributes.number(WeightError.OF_STATE).orElseThrow())
                        .isCloseTo(off.ofState(), within(0.05 * off.ofState()));
                assertThat(attributes.number(WeightError.OF_CHANGE).orElseThrow())
                        .isCloseTo(off.ofChange(), within(0.1 * off.ofChange()));
            }
        }
        assertThat(events(Committed.class).getFirst().error()).isEqualTo(WeightError.NONE);
        assertThat(events(Committed.class).getFirst().checkpoint().attributes().asMap())
                .as("a base is exact and says nothing of an error")
                .containsKeys(SaveCost.STALL, SaveCost.SAVE)
                .doesNotContainKeys(WeightError.OF_STATE, WeightError.OF_CHANGE);
    }

    @Test
    void recordsTellTheErrorOfEachTensor() throws IOException {
        for (Off off : train("lossy", ElementType.FLOAT32, 8, 0.02, GAUSSIAN)) {
            double squares = 0;
            for (TensorRef tensor : tensors(off.checkpoint())) {
                assertThat(tensor.storedBytes()).isPositive();
                squares += Math.pow(tensor.relativeError().orElseThrow(), 2);
            }
            // Both tensors have about the same norm.
            assertThat(Math.sqrt(squares / 2)).isCloseTo(off.ofState(), within(0.03 * off.ofState()));
        }
        assertThat(tensors(events(Committed.class).getFirst().checkpoint()))
                .as("a base is exact and says nothing of an error")
                .allSatisfy(tensor -> assertThat(tensor.relativeError()).isEmpty());
    }

    @Test
    void bitsThatTheUserNamedAreKeptAndToldOnceWhereTheyAreWorseThanNotSaving() throws IOException {
        List<Off> offs = train("lc:1", ElementType.FLOAT32, 8, 0.02, HEAVY_TAILED);
        assertThat(offs.getLast().ofChange()).isGreaterThan(1.2);
        assertThat(events(TooCoarse.class)).singleElement().satisfies(told -> {
            assertThat(told.remedy()).isEqualTo(Remedy.NONE);
            assertThat(told.error()).isGreaterThan(1);
        });
    }

    @ParameterizedTest
    @CsvSource({"uq:2, 0", "uq:1.5, 2", "rel:0.2, 0", "lc:auto:2, 2"})
    void moreIsSpentWhereTheErrorWouldExceedTheChange(String codec, double spread) throws IOException {
        for (Off off : train(codec, ElementType.FLOAT32, 8, 0.02, spread)) {
            assertThat(off.ofChange()).isBetween(0.2, 1.1);
        }
        assertThat(events(TooCoarse.class)).singleElement().satisfies(told -> {
            assertThat(told.remedy()).isEqualTo(Remedy.FINER);
            assertThat(told.error()).isGreaterThan(1);
        });
    }

    @ParameterizedTest
    @CsvSource({"rel:0.000001", "uq:0.01", "lc:auto:0.05"})
    void aTargetOutOfReachIsMetExactlyAndToldOnce(String codec) throws IOException {
        for (Off off : train(codec, ElementType.FLOAT32, 6, 0.02, GAUSSIAN)) {
            assertThat(off.ofState()).isZero();
            assertThat(off.checkpoint().kind()).isEqualTo(Checkpoint.Kind.DELTA);
            assertThat(tensors(off.checkpoint())).extracting(TensorRef::codec).containsOnly("lossless");
        }
        assertThat(events(TooCoarse.class))
                .singleElement()
                .satisfies(told -> assertThat(told.remedy()).isEqualTo(Remedy.EXACT));
    }

    @Test
    void aStateThatStandsStillIsStoredExactly() throws IOException {
        var state = new DriftingState(ElementType.FLOAT32);
        try (Checkpoints checkpoints = open("lossy")) {
            for (int step = 1; step <= 6; step++) {
                state.drift(step < 4 ? 0.02 : 0, GAUSSIAN);
                save(checkpoints, step, state);
            }
        }
        assertThat(events(Committed.class).get(2).error().ofChange()).isBetween(0.6, 0.8);
        assertThat(events(Committed.class).subList(3, 6))
                .extracting(Committed::error)
                .containsOnly(WeightError.NONE);
        assertThat(events(TooCoarse.class))
                .extracting(TooCoarse::step, TooCoarse::remedy)
                .containsExactly(tuple(4L, Remedy.EXACT));
    }

    @ParameterizedTest
    @CsvSource({"lossy", "rel:0.01", "lc:auto"})
    void weightsOfHalfPrecisionAloneFollowTheTraining(String codec) throws IOException {
        for (Off off : train(codec, ElementType.BFLOAT16, 8, 0.02, GAUSSIAN)) {
            assertThat(off.ofChange()).isLessThan(0.95);
        }
    }

    /// Trains with a save after each drift, and returns the errors of the last two checkpoints.
    private List<Off> train(String codec, ElementType type, int steps, double size, double spread) throws IOException {
        var states = new ArrayList<double[]>();
        var state = new DriftingState(type);
        int from = events(Committed.class).size();
        try (Checkpoints checkpoints = open(codec)) {
            for (int step = 1; step <= steps; step++) {
                state.drift(size, spread);
                states.add(state.weights());
                save(checkpoints, step, state);
            }
        }
        var offs = new ArrayList<Off>();
        for (int i = steps - 2; i < steps; i++) {
            Checkpoint checkpoint = events(Committed.class).get(from + i).checkpoint();
            double error = distance(read(checkpoint, type), states.get(i));
            double[] zero = new double[states.get(i).length];
            offs.add(new Off(
                    checkpoint,
                    error / distance(states.get(i), zero),
                    error / distance(states.get(i), states.get(i - 1))));
        }
        return offs;
    }

    private static void save(Checkpoints checkpoints, int step, DriftingState state) throws IOException {
        checkpoints.afterStep(step, state);
        checkpoints.awaitSave();
        assertThat(checkpoints.statistics().failed()).isZero();
    }

    private double[] read(Checkpoint checkpoint, ElementType type) throws IOException {
        var state = new DriftingState(type);
        try (var reader = store().open(commit(checkpoint))) {
            for (LiveTensor tensor : state.tensors()) {
                reader.read(tensor.spec(), tensor.memory());
            }
        }
        return state.weights();
    }

    private List<TensorRef> tensors(Checkpoint checkpoint) throws IOException {
        return store().manifest(commit(checkpoint)).tensors();
    }

    private Commit commit(Checkpoint checkpoint) throws IOException {
        return store().history().find(checkpoint.id()).orElseThrow();
    }

    private CheckpointStore store() {
        return new CheckpointStore(new LocalBlobStore(run));
    }

    private Checkpoints open(String codec) throws IOException {
        return Checkpoints.open(
                run,
                CheckpointOptions.defaults()
                        .withPolicy(new SavePolicy.EverySteps(1))
                        .withCodec(Codec.parse(codec))
                        .withLongestChain(100)
                        .withRetention(Retention.parse("all"))
                        .withoutLog()
                        .withListener(events::add));
    }

    private <E extends CheckpointEvent> List<E> events(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private static long bytes(List<Off> offs) {
        return offs.stream().mapToLong(off -> off.checkpoint().storedBytes()).sum();
    }

    private static double distance(double[] one, double[] other) {
        double squares = 0;
        for (int i = 0; i < one.length; i++) {
            squares += (one[i] - other[i]) * (one[i] - other[i]);
        }
        return Math.sqrt(squares);
    }
}
