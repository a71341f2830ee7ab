package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.checkpoint.CheckpointEvent.PassedOver;
import dev.cairn.checkpoint.CheckpointEvent.RestoredInPart;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Damage;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartialRestoreTest {
    @TempDir
    Path run;

    private final List<CheckpointEvent> events = new ArrayList<>();

    @Test
    void refusesWhatDiffersListsAllOfItAndTouchesNothing() throws IOException {
        save(
                1,
                new NamedState()
                        .with("same", 1, 4)
                        .with("old", 1, 2, 3)
                        .with("shape", 1, 4)
                        .with("type", 1, 4));
        var live = new NamedState()
                .with("same", 9, 4)
                .with("new", 9, 7)
                .with("shape", 9, 2, 2)
                .with("type", ElementType.INT32, 9, 4);
        try (Checkpoints checkpoints = open()) {
            var refused = catchThrowableOfType(StateMismatchException.class, () -> checkpoints.restoreLatest(live));
            assertThat(refused)
                    .hasMessageContaining("1 missing in the checkpoint: new float32[7]; ")
                    .hasMessageContaining("1 unknown to the model: old float32[2, 3]; ")
                    .hasMessageContaining("2 of another type or shape: stored as shape float32[4], live as shape "
                            + "float32[2, 2], stored as type float32[4], live as type int32[4]; ")
                    .hasMessageEndingWith(
                            "; use the model that made the checkpoint, or a new run, or Matching.PARTIAL to restore the tensor that fits")
                    .hasMessageNotContaining("\n");
            assertThat(refused.difference().fitting())
                    .extracting(TensorSpec::name)
                    .containsExactly("same");
        }
        assertThat(live.value("same")).isEqualTo(9);
        assertThat(live.step).isZero();
    }

    @Test
    void longListsAreShortenedWithTheirCounts() throws IOException {
        var saved = new NamedState();
        var live = new NamedState().with("kept", 1, 1);
        saved.with("kept", 1, 1);
        for (int i = 10; i < 70; i++) {
            saved.with("stored" + i, 1, 1);
            live.with("live" + i, 1, 1);
        }
        save(1, saved);
        try (Checkpoints checkpoints = open()) {
            assertThatThrownBy(() -> checkpoints.restoreLatest(live))
                    .hasMessageContaining("60 missing in the checkpoint: live10 float32[1], live11")
                    .hasMessageContaining("live11 float32[1] and 58 more; 60 unknown to the model: stored10")
                    .hasMessageNotContaining("live12");
        }
    }

    @Test
    void weightsAloneMustAllFitAndTheRestMayBeMissing() throws IOException {
        save(3, new NamedState().with("weight", 1, 10));
        var withOptimizer =
                new NamedState().with("weight", 9, 10).with("moment", ElementType.FLOAT32, Role.FIRST_MOMENT, 8, 10);
        try (Checkpoints checkpoints = open()) {
            checkpoints.restoreLatest(withOptimizer, Matching.WEIGHTS);
            assertThat(withOptimizer.value("weight")).isEqualTo(1);
            assertThat(withOptimizer.value("moment")).isEqualTo(8);
            var moreWeights = new NamedState().with("weight", 9, 10).with("another", 9, 10);
            assertThatThrownBy(() -> checkpoints.restoreLatest(moreWeights, Matching.WEIGHTS))
                    .isInstanceOf(StateMismatchException.class)
                    .hasMessageContaining("missing in the checkpoint: another");
            assertThat(moreWeights.value("weight")).isEqualTo(9);
        }
    }

    @Test
    void partialFillsALargerModelAndTellsWhatStayed() throws IOException {
        save(3, new NamedState().with("trunk", 1, 100_000).with("head", 2, 10));
        var larger =
                new NamedState().with("trunk", 9, 100_000).with("head", 8, 20).with("more", 7, 5);
        try (Checkpoints checkpoints = open()) {
            assertThat(checkpoints.restoreLatest(larger, Matching.PARTIAL).map(Checkpoint::step))
                    .contains(3L);
            assertThat(checkpoints.isSaved(3))
                    .as("what is live now is not what is saved")
                    .isFalse();
        }
        assertThat(larger.step).isEqualTo(3);
        assertThat(larger.value("trunk")).isEqualTo(1);
        assertThat(larger.value("head")).isEqualTo(8);
        assertThat(larger.value("more")).isEqualTo(7);
        assertThat(events)
                .filteredOn(RestoredInPart.class::isInstance)
                .singleElement()
                .satisfies(event -> {
                    StateDifference difference = ((RestoredInPart) event).difference();
                    assertThat(difference.fitting())
                            .extracting(TensorSpec::name)
                            .containsExactly("trunk");
                    assertThat(difference.missing())
                            .extracting(TensorSpec::name)
                            .containsExactly("more");
                    assertThat(difference.changed())
                            .extracting(StateDifference.Change::toString)
                            .containsExactly("stored as head float32[10], live as head float32[20]");
                });
    }

    @Test
    void partialFillsASmallerModel() throws IOException {
        save(3, new NamedState().with("trunk", 1, 100).with("head", 2, 10));
        var smaller = new NamedState().with("trunk", 9, 100);
        try (Checkpoints checkpoints = open()) {
            checkpoints.restoreLatest(smaller, Matching.PARTIAL);
        }
        assertThat(smaller.value("trunk")).isEqualTo(1);
    }

    @Test
    void whatFitsWhollyIsNoPart() throws IOException {
        save(3, new NamedState().with("trunk", 1, 100));
        var same = new NamedState().with("trunk", 9, 100);
        try (Checkpoints checkpoints = open()) {
            checkpoints.restoreLatest(same, Matching.PARTIAL);
            assertThat(checkpoints.isSaved(3)).isTrue();
        }
        assertThat(events).noneMatch(RestoredInPart.class::isInstance);
    }

    @Test
    void aModelThatNothingFitsIsRefusedEvenInPart() throws IOException {
        save(3, new NamedState().with("trunk", 1, 100));
        try (Checkpoints checkpoints = open()) {
            assertThatThrownBy(
                            () -> checkpoints.restoreLatest(new NamedState().with("other", 9, 100), Matching.PARTIAL))
                    .isInstanceOf(StateMismatchException.class)
                    .hasMessageStartingWith("no weights of the checkpoint fit the model");
        }
    }

    @Test
    void aGeneratorAloneIsNotEnough() throws IOException {
        save(
                3,
                new NamedState()
                        .with("rng", ElementType.FLOAT32, Role.RNG, 5, 4)
                        .with("trunk", 1, 100));
        var other = new NamedState()
                .with("rng", ElementType.FLOAT32, Role.RNG, 6, 4)
                .with("other", 9, 100);
        try (Checkpoints checkpoints = open()) {
            assertThatThrownBy(() -> checkpoints.restoreLatest(other, Matching.PARTIAL))
                    .isInstanceOf(StateMismatchException.class)
                    .hasMessageStartingWith("no weights of the checkpoint fit the model");
        }
        assertThat(other.value("rng")).isEqualTo(6);
    }

    @Test
    void aRunGoesOnFromAPartWithABase() throws IOException {
        save(3, new NamedState().with("trunk", 1, 100));
        var larger = new NamedState().with("trunk", 9, 100).with("more", 7, 5);
        try (Checkpoints checkpoints = open()) {
            checkpoints.restoreLatest(larger, Matching.PARTIAL);
            checkpoints.saveNow(4, larger);
            assertThat(checkpoints.newestRecord().map(Checkpoint::kind)).contains(Checkpoint.Kind.BASE);
        }
        var again = new NamedState().with("trunk", 0, 100).with("more", 0, 5);
        try (Checkpoints checkpoints = open()) {
            checkpoints.restoreLatest(again);
        }
        assertThat(again.value("trunk")).isEqualTo(1);
        assertThat(again.value("more")).isEqualTo(7);
    }

    /// Of two checkpoints with different tensors the newer is damaged in its last block: what it has written
    /// into the live state by then must not be taken for the older one's.
    @Test
    void neverLeavesWhatADamagedCheckpointWroteBesideAnother() throws IOException {
        try (Checkpoints checkpoints = open()) {
            checkpoints.saveNow(1, new NamedState().with("trunk", 1, 100_000));
            checkpoints.saveNow(2, new NamedState().with("added", 5, 100_000).with("trunk", 2, 100_000));
        }
        events.clear();
        damageNewestSegment();
        var live = new NamedState().with("added", 9, 100_000).with("trunk", 9, 100_000);
        try (Checkpoints checkpoints = open()) {
            assertThatThrownBy(() -> checkpoints.restoreLatest(live, Matching.PARTIAL))
                    .isInstanceOf(NothingToRestoreException.class);
        }
        assertThat(events).filteredOn(PassedOver.class::isInstance).hasSize(2);
    }

    private void save(long step, NamedState state) throws IOException {
        try (Checkpoints checkpoints = open()) {
            checkpoints.saveNow(step, state);
        }
        events.clear();
    }

    private Checkpoints open() throws IOException {
        return Checkpoints.open(
                run,
                CheckpointOptions.defaults()
                        .withCodec(new Codec.Full())
                        .withoutLog()
                        .withListener(events::add));
    }

    private void damageNewestSegment() throws IOException {
        try (Stream<Path> segments = Files.list(run.resolve("segments"))) {
            Path newest = segments.sorted().toList().getLast();
            byte[] bytes = Files.readAllBytes(newest);
            Files.write(newest, Damage.at(bytes, Damage.contentBytes(bytes) * 3 / 4));
        }
    }
}
