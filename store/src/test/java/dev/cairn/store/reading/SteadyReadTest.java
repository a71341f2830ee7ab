package dev.cairn.store.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.codec.ElementType;
import dev.cairn.store.ChainSamples;
import dev.cairn.store.DamagedException;
import dev.cairn.store.Samples;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.blob.ReadHookBlobStore;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointDifference.Side;
import dev.cairn.store.writing.CheckpointWriter;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A training that prunes between a reader's listing and its reading.
class SteadyReadTest {
    private static final TensorSpec WEIGHTS = ChainSamples.weights("weights", ElementType.FLOAT32, 500);

    private final MemoryBlobStore blobs = new MemoryBlobStore();
    private final CheckpointStore store = new CheckpointStore(blobs);
    private int attempts;

    @BeforeEach
    void begin() throws IOException {
        commitTwice();
    }

    /// Two checkpoints that need no others.
    private void commitTwice() throws IOException {
        var chain = new ChainSamples(blobs, List.of(WEIGHTS));
        chain.commit();
        chain.commit();
    }

    /// Saves more and removes everything that was there before.
    private void trainOn() throws IOException {
        commitTwice();
        CheckpointWriter.open(new CheckpointStore(blobs), () -> {}).prune(Set.of(), Samples.TIME);
    }

    private static Commit newest(History history) {
        return history.current().getLast() instanceof Entry.Intact(Commit checkpoint) ? checkpoint : throwDamaged();
    }

    private static Commit throwDamaged() {
        throw new AssertionError("the newest record does not read");
    }

    @Test
    void whatIsRemovedBeforeItIsReadIsListedAgain() throws IOException {
        long number = SteadyRead.of(runs -> {
            Commit newest = newest(runs.history(store));
            if (++attempts <= 3) {
                trainOn();
            }
            store.open(newest).close();
            return newest.number();
        });
        assertThat(attempts).isEqualTo(4);
        assertThat(number).isEqualTo(newest(store.history()).number());
    }

    @Test
    void bothSidesOfAComparisonAreListedAgain() throws IOException {
        CheckpointDifference difference = SteadyRead.of(runs -> {
            Commit a = newest(runs.history(store));
            Entry.Intact oldest = (Entry.Intact) runs.history(store).current().getFirst();
            if (++attempts == 1) {
                trainOn();
            }
            return CheckpointDifference.between(new Side(store, a), new Side(store, oldest.checkpoint()), _ -> {});
        });
        assertThat(attempts).isEqualTo(2);
        assertThat(difference.isNone()).isFalse();
    }

    @Test
    void damageInARunThatStandsStillIsToldAtOnce() {
        blobs.blobs.keySet().removeIf(name -> name.startsWith("segments/"));
        assertThatThrownBy(() -> SteadyRead.of(runs -> {
                    attempts++;
                    return store.open(newest(runs.history(store)));
                }))
                .isInstanceOf(DamagedException.class);
        assertThat(attempts).isOne();
    }

    @Test
    void aRunThatNeverStandsStillIsGivenUp() {
        assertThatThrownBy(() -> SteadyRead.of(runs -> {
                    attempts++;
                    Commit newest = newest(runs.history(store));
                    trainOn();
                    return store.open(newest);
                }))
                .isInstanceOf(DamagedException.class);
        assertThat(attempts).isEqualTo(SteadyRead.MOST_ATTEMPTS);
    }

    /// Before each segment that a reader opens, a training commits another checkpoint. That one changes the log, and
    /// nothing brings the lost segment back.
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aRunThatNeverStandsStillWhileACheckpointIsOpenedIsGivenUp() throws IOException {
        Commit lost = newest(store.history());
        blobs.blobs.keySet().removeAll(lost.segmentNames());
        var busy = new CheckpointStore(new ReadHookBlobStore(blobs, (name, offset) -> {
            if (offset < 0 && lost.segmentNames().contains(name)) {
                attempts++;
                new ChainSamples(blobs, List.of(WEIGHTS)).commit();
            }
        }));
        assertThatThrownBy(() -> busy.open(lost))
                .isInstanceOf(DamagedException.class)
                .hasMessageContaining(lost.segmentNames().getFirst());
        assertThat(attempts).as("each with a second look").isEqualTo(2 * SteadyRead.MOST_ATTEMPTS);
    }

    /// Nothing brings back a checkpoint that was removed, however often the log is read.
    @Test
    void aCheckpointThatIsRemovedWhileItIsOpenedIsGivenUpAtOnce() throws IOException {
        Commit newest = newest(store.history());
        var busy = new CheckpointStore(new ReadHookBlobStore(blobs, (name, offset) -> {
            boolean opens = name.equals(newest.segmentNames().getFirst());
            if (offset < 0 && (opens || (attempts > 0 && name.equals(RunFiles.record(newest.number()))))) {
                attempts++;
                trainOn();
            }
        }));
        assertThatThrownBy(() -> busy.open(newest)).isInstanceOf(DamagedException.class);
        assertThat(attempts).as("both attempts with a second look").isLessThanOrEqualTo(4);
    }
}
