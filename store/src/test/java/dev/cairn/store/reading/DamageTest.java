package dev.cairn.store.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.store.Damage;
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
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Verification and reading find every flipped bit and every truncation of a small run. Segments and records heal;
/// where they cannot, the other checkpoint stays good.
class DamageTest {
    private static final String NEWEST_RECORD = "log/0000000002.rec";
    private static final String ITS_TWIN = "log/0000000002.twin";

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
    void aFlippedBitOfAnyByteHeals() throws IOException {
        for (String file : List.of(NEWEST_RECORD, ITS_TWIN, newestSegment)) {
            byte[] good = content(file);
            for (int bit = 0; bit < 8 * good.length; bit += 9) {
                byte[] bad = good.clone();
                bad[bit / 8] = (byte) (bad[bit / 8] ^ 1 << bit % 8);
                blobs.blobs.put(file, bad);
                assertHeals(file, "bit " + bit);
            }
            blobs.blobs.put(file, good);
        }
    }

    @Test
    void aFlippedBitInBothPlacesOfARecordIsFound() throws IOException {
        byte[] good = content(NEWEST_RECORD);
        for (int bit = 0; bit < 8 * good.length; bit += 9) {
            byte[] bad = good.clone();
            bad[bit / 8] = (byte) (bad[bit / 8] ^ 1 << bit % 8);
            Damage.record(blobs.blobs, 2, bad);
            assertDamageIsFound(NEWEST_RECORD, "bit " + bit);
        }
    }

    @Test
    void aFlippedBitThatParityCannotHealIsFound() throws IOException {
        byte[] good = content(newestSegment);
        byte[] unprotected = Damage.withoutTables(good);
        for (int bit = 0; bit < 8 * Damage.contentBytes(good); bit += 3) {
            byte[] bad = unprotected.clone();
            bad[bit / 8] = (byte) (bad[bit / 8] ^ 1 << bit % 8);
            blobs.blobs.put(newestSegment, bad);
            assertDamageIsFound(newestSegment, "bit " + bit);
        }
    }

    @Test
    void fourKibibytesOfNoiseHealAnywhere() throws IOException {
        var random = new Random(4);
        byte[] noise = new byte[4096];
        for (String file : List.of(NEWEST_RECORD, ITS_TWIN, newestSegment)) {
            byte[] good = content(file);
            for (int at = 0; at < good.length; at += 512) {
                random.nextBytes(noise);
                byte[] bad = good.clone();
                System.arraycopy(noise, 0, bad, at, Math.min(noise.length, bad.length - at));
                blobs.blobs.put(file, bad);
                assertHeals(file, "noise at " + at);
            }
            blobs.blobs.put(file, good);
        }
    }

    @Test
    void everyTruncationIsFound() throws IOException {
        for (String file : List.of(NEWEST_RECORD, ITS_TWIN, newestSegment)) {
            byte[] good = content(file);
            for (int length = 0; length < good.length; length++) {
                blobs.blobs.put(file, Arrays.copyOf(good, length));
                if (!file.equals(newestSegment) || length >= good.length - 4096) {
                    assertHeals(file, "length " + length);
                } else {
                    assertDamageIsFoundOrHeals(file, "length " + length);
                }
            }
            blobs.blobs.put(file, good);
        }
    }

    @Test
    void appendedBytesHeal() throws IOException {
        for (String file : List.of(NEWEST_RECORD, ITS_TWIN, newestSegment)) {
            byte[] good = content(file);
            blobs.blobs.put(file, Arrays.copyOf(good, good.length + 1));
            assertHeals(file, "one byte more");
            blobs.blobs.put(file, good);
        }
    }

    @Test
    void aMissingRecordHealsAndAMissingTwinIsNoDamage() throws IOException {
        byte[] good = content(NEWEST_RECORD);
        blobs.delete(NEWEST_RECORD);
        assertHeals(NEWEST_RECORD, "missing");
        blobs.blobs.put(NEWEST_RECORD, good);
        blobs.delete(ITS_TWIN);
        assertThat(StoreVerifier.verify(store, Depth.FULL, c -> {}).ok()).isTrue();
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

    /// A short segment lacks contents, too: they may be in the parity that is left.
    private void assertDamageIsFoundOrHeals(String file, String what) throws IOException {
        boolean healable = StoreVerifier.verify(store, Depth.FULL, c -> {}).damaged().stream()
                .allMatch(StoreVerifier.DamagedFile::healable);
        if (healable) {
            assertHeals(file, what);
        } else {
            assertDamageIsFound(file, what);
        }
    }

    /// Verification names the file, and everyone reads what was written.
    private void assertHeals(String file, String what) throws IOException {
        assertThat(StoreVerifier.verify(store, Depth.FULL, c -> {}).damaged())
                .as("%s of %s", what, file)
                .singleElement()
                .satisfies(damage -> {
                    assertThat(damage.file()).isEqualTo(file);
                    assertThat(damage.healable()).isTrue();
                });
        for (Commit checkpoint : CheckpointStoreTest.checkpoints(store)) {
            assertThat(Samples.matches(store, checkpoint))
                    .as("%s of %s", what, file)
                    .isTrue();
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
