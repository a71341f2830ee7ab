package dev.cairn.store.blob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.ElementType;
import dev.cairn.store.ChainSamples;
import dev.cairn.store.check.RestoreTrial;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.reading.CheckpointStoreTest;
import dev.cairn.store.repair.Repair;
import dev.cairn.store.segment.Workspace;
import dev.cairn.store.writing.CheckpointWriter;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A bit flips on the way from the storage, in each read in turn: of a record, a header, an index, a footer, code
/// tables or a block. It is read once more, and the result is good.
class SecondLookTest {
    private final MemoryBlobStore blobs = new MemoryBlobStore();

    @BeforeEach
    void makeAChain() throws IOException {
        var samples = new ChainSamples(
                blobs,
                List.of(
                        ChainSamples.weights("weight", ElementType.FLOAT32, 3000),
                        ChainSamples.moments("moment", 3000)));
        for (int i = 0; i < 3; i++) {
            samples.commit();
        }
    }

    private interface Use {
        boolean isRight(BlobStore blobs) throws IOException;
    }

    private static void flipInTurn(MemoryBlobStore blobs, Use use) throws IOException {
        var counting = new FlippingBlobStore(blobs, Integer.MAX_VALUE);
        assertThat(use.isRight(counting)).isTrue();
        assertThat(counting.reads()).isPositive();
        for (int read = 1; read <= counting.reads(); read++) {
            assertThat(use.isRight(new FlippingBlobStore(blobs, read)))
                    .as("read %d", read)
                    .isTrue();
        }
    }

    @Test
    void verificationFindsNoDamage() throws IOException {
        flipInTurn(
                blobs,
                flipping -> StoreVerifier.verify(new CheckpointStore(flipping), Depth.FULL, _ -> {})
                        .ok());
    }

    @Test
    void aRestoreReadsTheNewest() throws IOException {
        flipInTurn(blobs, flipping -> {
            var store = new CheckpointStore(flipping);
            List<Commit> checkpoints = CheckpointStoreTest.checkpoints(store);
            RestoreTrial.read(store, store.history().chain(checkpoints.getLast()), new Workspace());
            return checkpoints.size() == 3;
        });
    }

    @Test
    void aRepairHasNothingToDo() throws IOException {
        flipInTurn(
                blobs,
                flipping -> Repair.run(new CheckpointStore(flipping), () -> {}, Instant.EPOCH)
                        .plan()
                        .isNothing());
    }

    @Test
    void aCopyIsWhole() throws IOException {
        flipInTurn(blobs, flipping -> {
            var from = new CheckpointStore(flipping);
            var there = new MemoryBlobStore();
            var to = new CheckpointStore(there);
            CheckpointWriter writer = CheckpointWriter.open(to, () -> {});
            for (Commit checkpoint : CheckpointStoreTest.checkpoints(from)) {
                writer.adopt(from, checkpoint, null);
            }
            writer.writeTwins();
            return StoreVerifier.verify(to, Depth.FULL, _ -> {}).ok() && there.blobs.size() == blobs.blobs.size();
        });
    }
}
