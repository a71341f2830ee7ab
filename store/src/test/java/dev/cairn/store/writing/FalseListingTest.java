package dev.cairn.store.writing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.ElementType;
import dev.cairn.store.ChainSamples;
import dev.cairn.store.Samples;
import dev.cairn.store.blob.LateBlobStore;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// A listing over a network may lack a name: nothing is removed because of that.
class FalseListingTest {
    private static final int LISTINGS = 6;

    private final MemoryBlobStore memory = new MemoryBlobStore();

    @Test
    void nothingIsRemovedOnTheWordOfOneListing() throws IOException {
        var samples = new ChainSamples(memory, List.of(ChainSamples.weights("w", ElementType.FLOAT32, 100)));
        CheckpointStore store = samples.store();
        samples.commit();
        samples.commit();
        Commit third = samples.commit();
        check("three saves");
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        Commit merged = new Merger(store, writer).merge(third).orElseThrow();
        check("a merge");
        writer.prune(Set.of(merged.number()), Samples.TIME);
        check("a pruning");
    }

    /// Whatever one listing lacks when the next writer starts, all existing files stay.
    private void check(String after) throws IOException {
        assertThat(new CheckpointStore(memory).leftovers()).isEmpty();
        var before = new TreeMap<>(memory.blobs);
        for (String name : before.keySet()) {
            for (int listing = 1; listing <= LISTINGS; listing++) {
                var blobs = new LateBlobStore(memory);
                blobs.hide(name, listing);
                CheckpointWriter.open(new CheckpointStore(blobs), () -> {}).removeNeedless();
                assertThat(memory.blobs)
                        .as("after %s, %s was not in listing %d", after, name, listing)
                        .containsExactlyInAnyOrderEntriesOf(before);
            }
        }
    }
}
