package dev.cairn.store.writing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.store.Samples;
import dev.cairn.store.blob.LateBlobStore;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.reading.CheckpointStoreTest;
import dev.cairn.store.right.Lease;
import dev.cairn.store.right.LeaseWait;
import dev.cairn.store.right.WriterClaim;
import dev.cairn.store.right.WriterClaim.Urgency;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A record may appear after its creation failed. It then always has its segments, and its writer is not mistaken for
/// another.
class LateRecordTest {
    private final MemoryBlobStore memory = new MemoryBlobStore();
    private final LateBlobStore blobs = new LateBlobStore(memory);
    private final CheckpointStore store = new CheckpointStore(blobs);

    @Test
    void whatArrivesBeforeTheNextCommitStandsAndIsFollowed() throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        failToCommit(writer, 1);
        blobs.deliver();
        Samples.commit(writer, 2);
        check(1L, 2L);
    }

    @Test
    void whatHasNotArrivedIsCreatedAgainBeforeTheNextCommit() throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        failToCommit(writer, 1);
        Samples.commit(writer, 2);
        blobs.deliver();
        check(1L, 2L);
    }

    @Test
    void aReplyThatIsLostInTheMomentIsNoFailure() throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        for (long step = 1; step <= 3; step++) {
            blobs.loseNextReply();
            Samples.commit(writer, step);
        }
        check(1L, 2L, 3L);
    }

    @Test
    void aRecordThatIsReportedAsMadeAndIsNotThereIsMadeAgain() throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        for (long step = 1; step <= 3; step++) {
            blobs.loseNextRequest();
            Samples.commit(writer, step);
        }
        check(1L, 2L, 3L);
    }

    @Test
    void whileOneIsInDoubtNothingOfItIsRemovedAndNothingPilesUp() throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        failToCommit(writer, 1);
        int files = memory.listAll().size();
        blobs.cutOff(true);
        for (long step = 2; step <= 5; step++) {
            long now = step;
            assertThatThrownBy(() -> Samples.commit(writer, now)).isInstanceOf(IOException.class);
            assertThatThrownBy(writer::removeNeedless).isInstanceOf(IOException.class);
        }
        assertThat(memory.listAll()).hasSize(files);
        blobs.deliver();
        blobs.cutOff(false);
        writer.removeNeedless();
        check(1L);
    }

    @Test
    void whoGivesUpInDoubtDoesNotGiveBackAndTheNextDecides() throws IOException {
        for (boolean arrives : new boolean[] {true, false}) {
            memory.blobs.clear();
            Lease lease = take();
            CheckpointWriter writer = CheckpointWriter.open(store, lease);
            failToCommit(writer, 1);
            lease.close();
            Lease next = take();
            assertThat(next.takeOver()).as("not given back").isPresent();
            if (arrives) {
                blobs.deliver();
            }
            CheckpointWriter successor = CheckpointWriter.open(store, next);
            blobs.deliver();
            Samples.commit(successor, 2);
            check(arrives ? new Long[] {1L, 2L} : new Long[] {2L});
            next.close();
            assertThat(take().takeOver()).isEmpty();
        }
    }

    private Lease take() throws IOException {
        return new LeaseWait(blobs, "run", WriterClaim.usual().withUrgency(Urgency.AT_ONCE)).take();
    }

    private void failToCommit(CheckpointWriter writer, long step) {
        blobs.cutOff(true);
        assertThatThrownBy(() -> Samples.commit(writer, step)).hasMessage("no reply");
        blobs.cutOff(false);
    }

    private void check(Long... steps) throws IOException {
        List<Commit> found = CheckpointStoreTest.checkpoints(store);
        assertThat(found).extracting(Commit::step).containsExactly(steps);
        for (Commit checkpoint : found) {
            assertThat(Samples.matches(store, checkpoint)).isTrue();
        }
        assertThat(store.leftovers()).isEmpty();
        assertThat(StoreVerifier.verify(store, StoreVerifier.Depth.FULL, c -> {})
                        .ok())
                .isTrue();
    }
}
