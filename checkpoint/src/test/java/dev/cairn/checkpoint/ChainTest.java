package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.store.Damage;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointReader;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.segment.TensorRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Bases and deltas through the whole path: state, capture, encoding, disk, and back.
class ChainTest {
    private static final int EVERY = 5;

    @TempDir
    Path run;

    @ParameterizedTest
    @ValueSource(strings = {"full", "lossless"})
    void exactCodecsGiveEveryStepBack(String codec) throws IOException {
        Map<Long, String> saved = train(codec, 100, 4);
        for (Commit checkpoint : checkpoints()) {
            assertThat(read(checkpoint).digest())
                    .as("step %d", checkpoint.step())
                    .isEqualTo(saved.get(checkpoint.step()));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "lossy, 0.5, 0.95",
        "uq:0.3, 0.2, 0.42",
        "uq:1, 0.6, 1.3",
        "lc:8, 0.05, 0.3",
        "lc:4, 0.02, 0.6",
        "topn:0.2, 0.7, 1.5",
        "scar:0.2, 0.9, 2.5",
        "topn:1, 0, 0",
        "l2:4, 0.02, 0.3",
        "excp, 0.05, 0.6"
    })
    void lossyCodecsStayAsCloseAsTheySay(String codec, double low, double high) throws IOException {
        train(codec, 200, 60);
        List<Commit> checkpoints = checkpoints();
        assertThat(checkpoints).hasSizeGreaterThan(20);
        double errors = 0;
        int counted = 0;
        var live = new WalkingState();
        var before = new WalkingState();
        for (Commit checkpoint : checkpoints.subList(8, checkpoints.size() - 1)) {
            assertThat(checkpoint.kind()).isEqualTo("delta");
            walkTo(live, checkpoint.step());
            walkTo(before, checkpoint.step() - EVERY);
            double change = live.weightDistance(before);
            errors += read(checkpoint).weightDistance(live) / change;
            counted++;
        }
        assertThat(errors / counted).isBetween(low, high);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lossy", "lc:3", "scar:0.1", "topn:0.1", "l2:3", "excp"})
    void theLastCheckpointIsExactWhateverTheCodec(String codec) throws IOException {
        Map<Long, String> saved = train(codec, 33, 30);
        assertThat(read(checkpoints().getLast()).digest()).isEqualTo(saved.get(33L));
    }

    @ParameterizedTest
    @ValueSource(strings = {"lossless", "lossy", "lc:3", "topn:0.1", "excp"})
    void chainsAreMergedBeforeTheyGetLong(String codec) throws IOException {
        var state = new WalkingState();
        var held = new HashMap<Long, String>();
        try (Checkpoints checkpoints = open(codec, 3)) {
            for (int i = 0; i < 20; i++) {
                save(checkpoints, state);
                held.put(state.step, read(checkpoints().getLast()).digest());
                checkpoints.awaitHousekeeping();
            }
        }
        var history = store().history();
        for (Commit checkpoint : checkpoints()) {
            assertThat(history.chain(checkpoint)).hasSizeLessThanOrEqualTo(5);
            assertThat(read(checkpoint).digest())
                    .as("step %d", checkpoint.step())
                    .isEqualTo(held.get(checkpoint.step()));
        }
        assertThat(checkpoints()).hasSize(20).extracting(Commit::step).isSorted();
        assertThat(checkpoints().stream().filter(checkpoint -> checkpoint.replaces() != 0))
                .hasSizeGreaterThan(3);
        assertThat(store().leftovers()).isEmpty();
        assertThat(StoreVerifier.verify(store(), StoreVerifier.Depth.FULL, c -> {})
                        .ok())
                .isTrue();
    }

    @Test
    void whatRetentionGivesUpIsRemovedAndTheRestStaysReadable() throws IOException {
        var state = new WalkingState();
        var options = CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(EVERY))
                .withLongestChain(3)
                .withRetention(Retention.parse("latest:3,every:25"))
                .withoutLog();
        var digests = new HashMap<Long, String>();
        try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
            for (int i = 0; i < 30; i++) {
                save(checkpoints, state);
                digests.put(state.step, state.digest());
                checkpoints.awaitHousekeeping();
            }
        }
        List<Commit> left = checkpoints();
        assertThat(left).hasSizeLessThan(25).extracting(Commit::step).contains(25L, 50L, 75L, 140L, 145L, 150L);
        for (Commit checkpoint : left) {
            assertThat(read(checkpoint).digest()).isEqualTo(digests.get(checkpoint.step()));
        }
        try (var segments = Files.list(run.resolve("segments"))) {
            assertThat(segments).hasSameSizeAs(left);
        }
    }

    @Test
    void withoutChainsEveryCheckpointIsABase() throws IOException {
        train("lossless", 20, 0);
        assertThat(checkpoints()).extracting(Commit::kind).containsOnly("base");
    }

    @Test
    void afterAFailedSaveComesABase() throws IOException {
        var state = new WalkingState();
        try (Checkpoints checkpoints = open("lossless", 10)) {
            save(checkpoints, state);
            save(checkpoints, state);
            Path segments = run.resolve("segments");
            Files.move(segments, run.resolve("aside"));
            Files.writeString(segments, "in the way");
            save(checkpoints, state);
            assertThat(checkpoints.statistics().failed()).isEqualTo(1);
            Files.delete(segments);
            Files.move(run.resolve("aside"), segments);
            save(checkpoints, state);
        }
        assertThat(checkpoints()).extracting(Commit::kind).containsExactly("base", "delta", "base");
        assertThat(read(checkpoints().getLast()).digest()).isEqualTo(state.digest());
    }

    @Test
    void aDamagedDeltaTakesItsChildrenWithIt() throws IOException {
        Map<Long, String> saved = train("lossless", 20, 10);
        Commit second = checkpoints().get(1);
        Damage.inTheMiddle(run.resolve(second.segments().getFirst().name()));
        var state = new WalkingState();
        try (Checkpoints checkpoints = open("lossless", 10)) {
            assertThat(checkpoints.restoreLatest(state).map(Checkpoint::step)).contains((long) EVERY);
        }
        assertThat(state.digest()).isEqualTo(saved.get((long) EVERY));
    }

    /// Saves every fifth step; the digest of the live state at each of them and at the last.
    private Map<Long, String> train(String codec, int steps, int longestChain) throws IOException {
        var saved = new HashMap<Long, String>();
        var state = new WalkingState();
        try (Checkpoints checkpoints = open(codec, longestChain)) {
            for (int step = 1; step <= steps; step++) {
                state.makeStep();
                checkpoints.afterStep(step, state);
                checkpoints.awaitSave();
                saved.put(state.step, state.digest());
            }
            if (!checkpoints.isSaved(steps)) {
                checkpoints.saveNow(steps, state);
            }
            assertThat(checkpoints.statistics().failed()).isZero();
        }
        return saved;
    }

    private static void save(Checkpoints checkpoints, WalkingState state) throws IOException {
        for (int i = 0; i < EVERY; i++) {
            state.makeStep();
            checkpoints.afterStep(state.step, state);
        }
        checkpoints.awaitSave();
        checkpoints.awaitHousekeeping();
    }

    private Checkpoints open(String codec, int longestChain) throws IOException {
        return Checkpoints.open(
                run,
                CheckpointOptions.defaults()
                        .withPolicy(new SavePolicy.EverySteps(EVERY))
                        .withCodec(Yardstick.parse(codec))
                        .withLongestChain(longestChain)
                        .withRetention(Retention.parse("all"))
                        .withoutLog());
    }

    private List<Commit> checkpoints() throws IOException {
        var checkpoints = new ArrayList<Commit>();
        for (Entry entry : store().currentEntries()) {
            if (entry instanceof Entry.Intact(Commit checkpoint)) {
                checkpoints.add(checkpoint);
            }
        }
        return checkpoints;
    }

    private WalkingState read(Commit checkpoint) throws IOException {
        var state = new WalkingState();
        try (CheckpointReader reader = store().open(checkpoint)) {
            List<TensorRef> tensors = reader.manifest().tensors();
            for (int i = 0; i < tensors.size(); i++) {
                reader.read(tensors.get(i).spec(), state.tensors().get(i).memory());
            }
        }
        return state;
    }

    private static void walkTo(WalkingState state, long step) {
        while (state.step < step) {
            state.makeStep();
        }
    }

    private CheckpointStore store() {
        return new CheckpointStore(new LocalBlobStore(run));
    }
}
