package dev.cairn.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.engine.Score;
import dev.cairn.engine.StateOwner;
import dev.cairn.store.Attributes;
import dev.cairn.store.Bytes;
import dev.cairn.store.UnfitAttributesException;
import dev.cairn.train.data.DataOrder.Cursor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which attributes of a checkpoint a run uses, and which it refuses.
class TrainingRunTest {
    private TrainingSettings settings;
    private Attributes saved;

    /// A run that has made steps and was scored.
    @BeforeEach
    void train() throws TrainingSettings.RefusedException {
        settings = TrainingSettings.resolve(TrainingRequest.of("lr"), Optional.empty())
                .settings();
        var run = new TrainingRun(settings, new NoTensors());
        run.stepMade(2.5f, new Cursor(0, 64));
        run.stepMade(2.0f, new Cursor(1, 32));
        run.scored(new Score(100, 60, 150));
        saved = run.attributes();
    }

    @Test
    void whatWasSavedIsThereAgain() {
        var restored = new TrainingRun(settings, new NoTensors());
        restored.restored(2, saved);
        assertThat(restored.cursor()).isEqualTo(new Cursor(1, 32));
        assertThat(restored.lastLoss()).isEqualTo(2);
        assertThat(restored.bestStep()).isEqualTo(2);
        assertThat(restored.attributes()).isEqualTo(saved);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "optimizer",
                "optimizerBegan",
                "workload",
                "data",
                "activation",
                "position",
                "loss",
                "accuracy",
                "testLoss",
                "bestAccuracy",
                "bestStep",
                "scoredStep",
                "firstLoss",
                "rateFactor"
            })
    void anAttributeThatIsMissingDoesNotFit(String name) {
        assertThatThrownBy(() -> restore(without(name)))
                .isInstanceOf(UnfitAttributesException.class)
                .hasMessage("attribute %s is missing", name);
    }

    @Test
    void anAttributeOfAnotherTypeDoesNotFit() {
        saved.asMap().forEach((name, value) -> {
            if (isRestored(name)) {
                assertThatThrownBy(() -> restore(saved.with(name, Bytes.of(new byte[] {1}))))
                        .as(name)
                        .isInstanceOf(UnfitAttributesException.class)
                        .hasMessageContaining(name);
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"epoch, -1", "position, -1", "position, 2147483648", "position, 9223372036854775807"})
    void aPlaceThatNoDataHasDoesNotFit(String name, long value) {
        assertThatThrownBy(() -> restore(saved.with(name, value)))
                .isInstanceOf(UnfitAttributesException.class)
                .hasMessageContaining("not a position in the data")
                .hasMessageContaining(name + "=" + value);
    }

    @Test
    void nothingStaysOfACheckpointThatDidNotFit() {
        var run = new TrainingRun(settings, new NoTensors());
        assertThatThrownBy(() -> run.restored(2, without("bestStep"))).isInstanceOf(UnfitAttributesException.class);
        run.restored(1, Attributes.empty()); // imported weights
        var fresh = new TrainingRun(settings, new NoTensors());
        fresh.restored(1, Attributes.empty());
        assertThat(run.attributes()).isEqualTo(fresh.attributes());
        assertThat(run.cursor()).isEqualTo(Cursor.START);
        assertThat(run.isScoreDue()).isTrue();
    }

    private void restore(Attributes attributes) {
        new TrainingRun(settings, new NoTensors()).restored(2, attributes);
    }

    private Attributes without(String name) {
        Map<String, @Nullable Object> others = new TreeMap<>(saved.asMap());
        others.remove(name);
        return Attributes.of(others);
    }

    /// Returns false for settings that are checked before a run is restored, or are not checked.
    private static boolean isRestored(String name) {
        return !List.of(
                        "engine",
                        "rank",
                        "weightDecay",
                        "clip",
                        "rate",
                        "schedule",
                        "batch",
                        "globalBatch",
                        "dataOrder",
                        "seed",
                        "threads",
                        "workers",
                        "steps",
                        "evaluateEvery")
                .contains(name);
    }

    private static final class NoTensors implements StateOwner {
        @Override
        public List<LiveTensor> tensors() {
            return List.of();
        }

        @Override
        public void tensorsRestored() {}
    }
}
