package dev.cairn.checkpoint.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.CountingState;
import dev.cairn.checkpoint.NothingToRestoreException;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.Selector;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A search during a training that saves and prunes.
class CheckpointSearchTest {
    @TempDir
    Path run;

    private final List<String> passedOver = new ArrayList<>();
    private int trials;

    @BeforeEach
    void begin() throws IOException {
        train(3);
    }

    /// Continues for this many steps and saves each of them; two checkpoints stay.
    private void train(int steps) throws IOException {
        var options = CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1))
                .withCodec(Codec.parse("full"))
                .withRetention(Retention.parse("latest:2"));
        var state = new CountingState();
        try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
            checkpoints.restoreLatest(state);
            for (int i = 0; i < steps; i++) {
                state.makeStep();
                checkpoints.afterStep(state.step, state);
                checkpoints.awaitSave();
            }
            checkpoints.tidy(() -> false);
        }
    }

    private CheckpointStore store() {
        return new CheckpointStore(new LocalBlobStore(run));
    }

    private Optional<Commit> search(Selector selector, int changes) throws IOException {
        CheckpointStore store = store();
        return new CheckpointSearch(store, selector)
                .first(
                        (_, checkpoint) -> {
                            if (++trials <= changes) {
                                train(6);
                            }
                            store.open(checkpoint).close();
                        },
                        (entry, _) -> passedOver.add(entry.file()));
    }

    @Test
    void whatIsPrunedBeforeItIsReadIsNoDamage() throws IOException {
        long step = search(new Selector.Latest(), 2).orElseThrow().step();
        assertThat(step).isEqualTo(15);
        assertThat(passedOver).isEmpty();
        assertThat(trials).isEqualTo(3);
    }

    @Test
    void aStepThatIsPrunedBeforeItIsReadIsNoLongerThere() throws IOException {
        assertThat(search(new Selector.AtStep(3), 1)).isEmpty();
        assertThat(passedOver).isEmpty();
    }

    @Test
    void damageIsPassedOverAndToldOnce() throws IOException {
        List<Commit> checkpoints = store().history().current().stream()
                .map(entry -> ((Entry.Intact) entry).checkpoint())
                .toList();
        Files.delete(run.resolve(checkpoints.getLast().segments().getFirst().name()));
        assertThat(search(new Selector.Latest(), 0).orElseThrow().step())
                .isEqualTo(checkpoints.get(checkpoints.size() - 2).step());
        assertThat(passedOver).hasSize(1);
        assertThatThrownBy(
                        () -> search(new Selector.AtStep(checkpoints.getLast().step()), 0))
                .isInstanceOf(NothingToRestoreException.class);
    }
}
