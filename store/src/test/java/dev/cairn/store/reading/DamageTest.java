package dev.cairn.store.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.store.DamagedException;
import dev.cairn.store.NewerFormatException;
import dev.cairn.store.Samples;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.check.StoreVerifier.Report;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.writing.CheckpointWriter;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Verification and reading find every flipped bit and every truncation of a small run; the other checkpoint stays
/// good.
class DamageTest {
    private static final String NEWEST_RECORD = "log/0000000002.rec";

    private final MemoryBlobStore blobs = new MemoryBlobStore();
    private final CheckpointStore store = new CheckpointStore(blobs);
    private String newestSegment = "";
    private String olderSegment = "";

    @BeforeEach
    void makeTwoCheckpoints() throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        olderSegment = Samples.commit(writer, 10).segments().getFirst().name();
        newestSegment = Samples.commit(writer, 20).segments().getFirst().name();
        assertThat(StoreVerifier.verify(store, Depth.FULL, c -> {}).ok()).isTrue();
    }

    @Test
    void everyFlippedBitIsFound() throws IOException {
        for (String file : List.of(NEWEST_RECORD, newestSegment)) {
            byte[] good = content(file);
            for (int bit = 0; bit < 8 * good.length; bit++) {
                byte[] bad = good.clone();
                bad[bit / 8] = (byte) (bad[bit / 8] ^ 1 << bit % 8);
                blobs.blobs.put(file, bad);
                assertDamageIsFound(file, "bit " + bit);
            }
            blobs.blobs.put(file, good);
        }
    }

    @Test
    void everyTruncationIsFound() throws IOException {
        for (String file : List.of(NEWEST_RECORD, newestSegment)) {
            byte[] good = content(file);
            for (int length = 0; length < good.length; length++) {
                blobs.blobs.put(file, Arrays.copyOf(good, length));
                assertDamageIsFound(file, "length " + length);
            }
            blobs.blobs.put(file, good);
        }
    }

    @Test
    void appendedBytesAreFound() throws IOException {
        for (String file : List.of(NEWEST_RECORD, newestSegment)) {
            byte[] good = content(file);
            blobs.blobs.put(file, Arrays.copyOf(good, good.length + 1));
            assertDamageIsFound(file, "one byte more");
            blobs.blobs.put(file, good);
        }
    }

    @Test
    void aMissingSegmentAndASwappedOneAreFound() throws IOException {
        blobs.delete(newestSegment);
        assertDamageIsFound(newestSegment, "missing");
        blobs.blobs.put(newestSegment, content(olderSegment));
        assertDamageIsFound(newestSegment, "another checkpoint's segment");
    }

    private byte[] content(String file) {
        byte[] content = blobs.blobs.get(file);
        assertThat(content).isNotNull();
        return content;
    }

    private void assertDamageIsFound(String file, String what) throws IOException {
        Report report = StoreVerifier.verify(store, Depth.FULL, c -> {});
        assertThat(report.damaged())
                .as("%s of %s", what, file)
                .extracting(StoreVerifier.DamagedFile::file)
                .containsExactly(file);
        List<Commit> readable = CheckpointStoreTest.checkpoints(store);
        assertThat(Samples.matches(store, readable.getFirst())).isTrue();
        if (readable.size() == 2) {
            assertThat(reads(readable.getLast())).as("%s of %s", what, file).isFalse();
        }
    }

    private boolean reads(Commit checkpoint) throws IOException {
        try {
            // Wrong values without an error would be the worst case: the assertion checks for them.
            assertThat(Samples.matches(store, checkpoint)).isTrue();
            return true;
        } catch (DamagedException | NewerFormatException expected) {
            return false;
        }
    }
}
