package dev.cairn.store.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.ElementType;
import dev.cairn.store.ChainSamples;
import dev.cairn.store.blob.FaultyBlobStore;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Checkpoints that are lost in a run come back whole from its copy.
class RefillTest {
    private final MemoryBlobStore blobs = new MemoryBlobStore();
    private final MemoryBlobStore copied = new MemoryBlobStore();
    private final CheckpointStore run = new CheckpointStore(blobs);
    private final CheckpointStore copy = new CheckpointStore(copied);
    private final List<Commit> chain = new ArrayList<>();

    @BeforeEach
    void makeAChainAndItsCopy() throws IOException {
        var samples = new ChainSamples(blobs, List.of(ChainSamples.weights("w", ElementType.FLOAT32, 5000)));
        for (int i = 0; i < 4; i++) {
            chain.add(samples.commit());
        }
        copied.blobs.putAll(blobs.blobs);
    }

    private static String file(Commit checkpoint) {
        return checkpoint.segments().getFirst().name();
    }

    private boolean isWhole() throws IOException {
        return StoreVerifier.verify(run, Depth.FULL, _ -> {}).ok()
                && run.history().currentCheckpoints().size() == chain.size();
    }

    @Test
    void lostFilesComeBack() throws IOException {
        blobs.delete(file(chain.getFirst()));
        blobs.blobs.put(file(chain.getLast()), new byte[3]);
        assertThat(Refill.find(run, copy))
                .extracting(Commit::step)
                .containsExactly(chain.getFirst().step(), chain.getLast().step());
        assertThat(Refill.run(run, copy, () -> {}))
                .extracting(Commit::id)
                .containsExactly(chain.getFirst().id(), chain.getLast().id());
        assertThat(isWhole()).isTrue();
        assertThat(run.leftovers()).isEmpty();
        assertThat(Refill.find(run, copy)).isEmpty();
    }

    @Test
    void aWholeRunStaysAsItIs() throws IOException {
        Map<String, byte[]> before = Map.copyOf(blobs.blobs);
        copied.blobs.clear();
        assertThat(Refill.run(run, copy, () -> {})).isEmpty();
        assertThat(blobs.blobs).containsExactlyInAnyOrderEntriesOf(before);
    }

    @Test
    void whatTheCopyHasLostTooIsNotTaken() throws IOException {
        blobs.delete(file(chain.getFirst()));
        blobs.delete(file(chain.getLast()));
        copied.delete(file(chain.getLast()));
        assertThat(Refill.run(run, copy, () -> {}))
                .extracting(Commit::id)
                .containsExactly(chain.getFirst().id());
    }

    @Test
    void mayBeKilledAtAnyOperationAndRepeated() throws IOException {
        blobs.delete(file(chain.getFirst()));
        blobs.delete(file(chain.get(2)));
        Map<String, byte[]> damaged = Map.copyOf(blobs.blobs);
        int kills = 0;
        for (int at = 1; ; at++) {
            blobs.blobs.clear();
            blobs.blobs.putAll(damaged);
            FaultyBlobStore faulty = FaultyBlobStore.killedAt(blobs, at);
            try {
                Refill.run(new CheckpointStore(faulty), copy, () -> {});
            } catch (IOException killed) {
                kills++;
            }
            if (!faulty.faultHappened()) {
                break;
            }
            Refill.run(run, copy, () -> {});
            assertThat(isWhole()).as("killed at operation %d", at).isTrue();
        }
        assertThat(kills).isGreaterThan(3);
        assertThat(isWhole()).isTrue();
    }
}
