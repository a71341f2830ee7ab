package dev.cairn.checkpoint.house;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.CountingState;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.store.blob.ForwardingBlobStore;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.retention.Retention;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A disk on which a twin takes longer than the time between two saves: removals still happen.
class SlowTwinsTest {
    @TempDir
    Path run;

    private final List<CheckpointEvent> events = new CopyOnWriteArrayList<>();
    private final CountDownLatch saved = new CountDownLatch(1);

    @Test
    void removalsAreNotLeftOutBecauseATwinIsBeingWritten() throws IOException {
        var options = CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1))
                .withCodec(Codec.parse("full"))
                .withRetention(Retention.parse("latest:2"))
                .withoutLog()
                .withListener(events::add);
        var state = new CountingState();
        try (Checkpoints checkpoints = Checkpoints.open(new SlowTwins(), options)) {
            for (int i = 0; i < 10; i++) {
                state.makeStep();
                checkpoints.afterStep(state.step, state);
                checkpoints.awaitSave();
            }
            saved.countDown();
            checkpoints.awaitHousekeeping();
        }
        assertThat(events.stream()
                        .filter(CheckpointEvent.Pruned.class::isInstance)
                        .mapToInt(event ->
                                ((CheckpointEvent.Pruned) event).checkpoints().size())
                        .sum())
                .isEqualTo(8);
    }

    /// Writes no twin before all steps are saved.
    private final class SlowTwins extends ForwardingBlobStore {
        SlowTwins() {
            super(new LocalBlobStore(run));
        }

        @Override
        public void createIfAbsent(String name, byte[] content) throws IOException {
            if (name.endsWith(".twin")) {
                try {
                    saved.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
            super.createIfAbsent(name, content);
        }
    }
}
