package dev.cairn.store.writing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.ElementType;
import dev.cairn.store.ChainSamples;
import dev.cairn.store.blob.FaultyBlobStore;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AdoptTest {
    /// A copy of several segments fails at each operation in turn. The same writer tries again, and removes what the
    /// first attempt left.
    @ParameterizedTest
    @EnumSource(FaultyBlobStore.Fault.class)
    void whatAFailedCopyLeftIsRemovedByTheSameWriter(FaultyBlobStore.Fault fault) throws IOException {
        var there = new ChainSamples(
                new MemoryBlobStore(),
                List.of(
                        ChainSamples.weights("a", ElementType.FLOAT32, 100),
                        ChainSamples.weights("b", ElementType.FLOAT32, 100),
                        ChainSamples.weights("c", ElementType.FLOAT32, 100)));
        Commit checkpoint = there.commitAs(3);
        boolean reachedTheEnd = false;
        for (int failAt = 1; !reachedTheEnd; failAt++) {
            var blobs = new MemoryBlobStore();
            var faulty = new FaultyBlobStore(blobs, fault, failAt);
            var here = new CheckpointStore(faulty);
            CheckpointWriter writer = CheckpointWriter.open(here, () -> {});
            try {
                writer.adopt(there.store(), checkpoint, null);
            } catch (IOException injected) {
                assertThat(injected).hasMessageContaining("injected");
            }
            reachedTheEnd = !faulty.faultHappened();
            if (here.currentEntries().isEmpty()) {
                writer.adopt(there.store(), checkpoint, null);
            }
            writer.removeNeedless();
            assertThat(here.leftovers()).as("%s %d", fault, failAt).isEmpty();
            assertThat(blobs.list("segments/")).as("%s %d", fault, failAt).hasSize(3);
            assertThat(StoreVerifier.verify(here, StoreVerifier.Depth.FULL, _ -> {})
                            .ok())
                    .isTrue();
        }
    }
}
