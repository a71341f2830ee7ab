package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.checkpoint.CheckpointEvent.Forked;
import dev.cairn.checkpoint.CheckpointEvent.PassedOver;
import dev.cairn.store.Attributes;
import dev.cairn.store.Damage;
import dev.cairn.store.retention.Retention;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A run of steps 10, 20, 30 and 40, of which 20 has the highest accuracy, and forks of it.
class ForkTest {
    @TempDir
    Path folder;

    private final List<CheckpointEvent> events = new ArrayList<>();
    private Path origin;

    @BeforeEach
    void trainTheOrigin() throws IOException {
        origin = folder.resolve("origin");
        try (Checkpoints checkpoints = open(origin)) {
            double[] accuracies = {0.1, 0.9, 0.5, 0.4};
            for (int i = 1; i <= 4; i++) {
                checkpoints.saveNow(10L * i, state(i).with(Attributes.empty().with("accuracy", accuracies[i - 1])));
            }
        }
        events.clear();
    }

    @ParameterizedTest
    @CsvSource({"latest, 40", "10, 10", "30, 30", "best, 20"})
    void beginsAtTheChosenCheckpoint(String selector, long step) throws IOException {
        NamedState state = state(0);
        try (Checkpoints checkpoints = open(folder.resolve("fork"))) {
            Checkpoint from = checkpoints.restoreFrom(point(selector), state, Matching.WHOLE);
            assertThat(from.step()).isEqualTo(step);
            assertThat(checkpoints.isSaved(step)).as("in this run").isFalse();
        }
        assertThat(state.step).isEqualTo(step);
        assertThat(state.value("weights")).isEqualTo(step / 10f);
        assertThat(events).singleElement().isInstanceOfSatisfying(Forked.class, forked -> {
            assertThat(forked.run()).isEqualTo("origin");
            assertThat(forked.checkpoint().step()).isEqualTo(step);
        });
    }

    @Test
    void itsFirstCheckpointIsABaseAndAllTellTheOrigin() throws IOException {
        Path fork = folder.resolve("fork");
        NamedState state = state(0);
        Checkpoint from;
        try (Checkpoints checkpoints = open(fork)) {
            from = checkpoints.restoreFrom(point("20"), state, Matching.WHOLE);
            checkpoints.saveNow(21, state);
            assertThat(newest(checkpoints).kind()).isEqualTo(Checkpoint.Kind.BASE);
            checkpoints.saveNow(22, state);
        }
        try (Checkpoints checkpoints = open(fork)) {
            assertThat(newest(checkpoints).origin()).contains(new Origin("origin", from.id(), 20));
            checkpoints.restoreLatest(state);
            checkpoints.saveNow(23, state);
            assertThat(newest(checkpoints).origin()).as("after a resume").contains(new Origin("origin", from.id(), 20));
            checkpoints.startFresh();
            checkpoints.saveNow(1, state);
            assertThat(newest(checkpoints).origin()).as("after a fresh start").isEmpty();
        }
    }

    @Test
    void readsTheOriginWhileItsWriterHasItAndChangesNothing() throws IOException {
        try (Checkpoints _ = open(origin)) {
            var before = contents(origin);
            try (Checkpoints fork = open(folder.resolve("fork"))) {
                fork.restoreFrom(point("latest"), state(0), Matching.WHOLE);
            }
            assertThat(contents(origin)).isEqualTo(before);
        }
    }

    @Test
    void aForkOfAForkNamesTheRunItCameFrom() throws IOException {
        NamedState state = state(0);
        try (Checkpoints fork = open(folder.resolve("fork"))) {
            fork.restoreFrom(point("20"), state, Matching.WHOLE);
            fork.saveNow(20, state);
        }
        try (Checkpoints second = open(folder.resolve("second"))) {
            second.restoreFrom(ForkPoint.of(folder.resolve("x/../fork"), new Selector.Latest()), state, Matching.WHOLE);
            second.saveNow(20, state);
            assertThat(Origin.of(newest(second).attributes()))
                    .get()
                    .extracting(Origin::run)
                    .isEqualTo("fork");
        }
    }

    @Test
    void aStepThatIsNotThereIsRefusedWithThoseThatAre() throws IOException {
        try (Checkpoints checkpoints = open(folder.resolve("fork"))) {
            assertThatThrownBy(() -> checkpoints.restoreFrom(point("25"), state(0), Matching.WHOLE))
                    .isInstanceOf(NoSuchCheckpointException.class)
                    .hasMessage("run origin has no checkpoint of step 25; its steps are 10, 20, 30, 40");
        }
        assertThatThrownBy(() -> point("25").record()).isInstanceOf(NoSuchCheckpointException.class);
    }

    @Test
    void manyStepsAreShortened() throws IOException {
        try (Checkpoints checkpoints = open(origin)) {
            checkpoints.restoreLatest(state(0));
            for (int i = 5; i <= 30; i++) {
                checkpoints.saveNow(10L * i, state(i));
            }
        }
        assertThatThrownBy(() -> point("25").record())
                .hasMessageContaining("10, 20, 30, 40, 50, … (30 in all) …, 210, 220,")
                .hasMessageEndingWith("300");
    }

    @Test
    void aRunWithoutCheckpointsOrMetricsIsRefused() throws IOException {
        Path empty = folder.resolve("empty");
        open(empty).close();
        assertThatThrownBy(() -> ForkPoint.of(empty, new Selector.Latest()).record())
                .isInstanceOf(NoSuchCheckpointException.class)
                .hasMessageContaining("run empty has no checkpoint to start from");
        Path plain = folder.resolve("plain");
        try (Checkpoints checkpoints = open(plain)) {
            checkpoints.saveNow(7, state(1));
        }
        assertThatThrownBy(() -> ForkPoint.of(plain, Selector.parse("best").orElseThrow())
                        .record())
                .hasMessage("run plain has no checkpoint with a value of accuracy or rmse or loss; its steps are 7");
    }

    @Test
    void aRunWithCheckpointsCannotBecomeAFork() throws IOException {
        try (Checkpoints checkpoints = open(folder.resolve("fork"))) {
            checkpoints.saveNow(1, state(1));
            assertThatThrownBy(() -> checkpoints.restoreFrom(point("20"), state(0), Matching.WHOLE))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("checkpoints=1");
        }
    }

    @ParameterizedTest
    @CsvSource({"latest, 4, 30", "best, 2, 30"})
    void aDamagedOneIsPassedOverForTheNextInOrder(String selector, int damaged, long expected) throws IOException {
        damage(damaged);
        try (Checkpoints checkpoints = open(folder.resolve("fork"))) {
            assertThat(checkpoints
                            .restoreFrom(point(selector), state(0), Matching.WHOLE)
                            .step())
                    .isEqualTo(expected);
        }
        assertThat(events).filteredOn(PassedOver.class::isInstance).hasSize(1);
    }

    @Test
    void aDamagedStepIsNotReplacedByAnother() throws IOException {
        damage(2);
        try (Checkpoints checkpoints = open(folder.resolve("fork"))) {
            assertThatThrownBy(() -> checkpoints.restoreFrom(point("20"), state(0), Matching.WHOLE))
                    .isInstanceOf(NothingToRestoreException.class)
                    .hasMessageStartingWith("cannot restore origin@20: damaged")
                    .hasMessageNotContaining("startFresh");
        }
    }

    @Test
    void ofAStepSavedTwiceTheNewerIsTaken() throws IOException {
        try (Checkpoints checkpoints = open(origin)) {
            checkpoints.rollBack(20, 1, state(0));
            checkpoints.saveNow(20, state(7));
        }
        NamedState state = state(0);
        try (Checkpoints checkpoints = open(folder.resolve("fork"))) {
            checkpoints.restoreFrom(point("20"), state, Matching.WHOLE);
        }
        assertThat(state.value("weights")).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1.5", "Best", "newest", "9999999999999999999"})
    void otherTextIsNoSelector(String text) {
        assertThat(Selector.parse(text)).isEmpty();
    }

    private static NamedState state(int value) {
        return new NamedState().with("weights", value, 1000);
    }

    private ForkPoint point(String selector) {
        return ForkPoint.of(origin, Selector.parse(selector).orElseThrow());
    }

    private static Checkpoint newest(Checkpoints checkpoints) throws IOException {
        return checkpoints.newestRecord().orElseThrow();
    }

    private Checkpoints open(Path run) throws IOException {
        return Checkpoints.open(
                run,
                CheckpointOptions.defaults()
                        .withCodec(run.equals(origin) ? new Codec.Full() : new Codec.Lossless())
                        .withRetention(Retention.parse("all"))
                        .withoutLog()
                        .withListener(events::add));
    }

    private void damage(int number) throws IOException {
        try (Stream<Path> segments = Files.list(origin.resolve("segments"))) {
            Path segment = segments.sorted().toList().get(number - 1);
            Damage.inTheMiddle(segment);
        }
    }

    private static Map<String, Long> contents(Path run) throws IOException {
        var contents = new TreeMap<String, Long>();
        try (Stream<Path> files = Files.walk(run)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                contents.put(file.toString(), Files.getLastModifiedTime(file).toMillis());
            }
        }
        return contents;
    }
}
