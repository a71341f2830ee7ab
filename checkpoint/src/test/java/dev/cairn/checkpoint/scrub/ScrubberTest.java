package dev.cairn.checkpoint.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Scrubbing;
import dev.cairn.checkpoint.background.RightOfWay;
import dev.cairn.checkpoint.chain.Doubts;
import dev.cairn.checkpoint.chain.Lineage;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.LateBlobStore;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.writing.CheckpointWriter;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ScrubberTest {
    private final BlobStore folder = new MemoryBlobStore();
    private final BlobStore remote = new LateBlobStore(new MemoryBlobStore());

    @Test
    void objectStorageIsScrubbedOnlyOnRequest() throws IOException {
        var every = new Scrubbing.Every(Duration.ofDays(1), 1_000_000);
        assertThat(isScrubbed(folder, new Scrubbing.Usual())).isTrue();
        assertThat(isScrubbed(remote, new Scrubbing.Usual())).isFalse();
        assertThat(isScrubbed(folder, every)).isTrue();
        assertThat(isScrubbed(remote, every)).isTrue();
        assertThat(isScrubbed(folder, new Scrubbing.Off())).isFalse();
        assertThat(isScrubbed(remote, new Scrubbing.Off())).isFalse();
    }

    private static boolean isScrubbed(BlobStore blobs, Scrubbing scrubbing) throws IOException {
        var store = new CheckpointStore(blobs);
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        var scrubber = Scrubber.start(
                store,
                writer,
                CheckpointOptions.defaults().withScrubbing(scrubbing),
                new RightOfWay(),
                new Doubts(new Lineage(), writer),
                _ -> {});
        scrubber.ifPresent(Scrubber::close);
        return scrubber.isPresent();
    }
}
