package dev.cairn.s3.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.Matching;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.Selector;
import dev.cairn.checkpoint.restore.Restorer;
import dev.cairn.s3.Clients;
import dev.cairn.s3.S3BlobStore;
import dev.cairn.s3.S3Location;
import dev.cairn.s3.server.AtomicS3;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.DamagedFile;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// One damaged region of any object of a run in object storage heals: a restore gets the bits that were written, and
/// says so. A lost record is read from its twin, and the next start puts it back.
class RemoteHealingTest {
    private static final String BUCKET = "bucket";
    private static final S3Location RUN = new S3Location(BUCKET, "run");
    private static final String PREFIX = "run/";
    private static final int SAVES = 3;
    private static final int REGION = 4096;
    private static final long SEED = 9;

    private final Random random = new Random(SEED);
    private final List<CheckpointEvent> events = new ArrayList<>();
    private AtomicS3 server;
    private S3BlobStore storage;

    @BeforeEach
    void train() throws IOException {
        server = new AtomicS3(BUCKET);
        storage = S3BlobStore.open(RUN, Clients.at(server.endpoint()));
        try (Checkpoints checkpoints = open()) {
            var state = new Walk(SEED);
            checkpoints.restoreLatest(state);
            for (int step = 1; step <= SAVES; step++) {
                assertThat(checkpoints.saveNow(step, state.at(step)).isSaved()).isTrue();
            }
        }
        assertThat(keys()).as("segments, records and twins").hasSize(3 * SAVES);
    }

    @AfterEach
    void stop() {
        storage.close();
        server.close();
    }

    @Test
    void oneDamagedRegionOfAnyObjectHeals() throws IOException {
        for (String key : keys()) {
            byte[] good = server.content(BUCKET, key);
            byte[] flipped = good.clone();
            int at = random.nextInt(good.length);
            flipped[at] ^= (byte) (1 << random.nextInt(8));
            assertHeals(key, flipped, "flipped bit at " + at);
            int lost = 1 + random.nextInt(Math.max(1, good.length / 100));
            assertHeals(key, Arrays.copyOf(good, good.length - lost), lost + " bytes less");
            assertHeals(key, noisy(good), "noise");
            server.put(BUCKET, key, good);
        }
        assertThat(restore()).isEmpty();
    }

    private byte[] noisy(byte[] good) {
        byte[] noise = new byte[Math.min(REGION, good.length)];
        random.nextBytes(noise);
        byte[] bad = good.clone();
        System.arraycopy(noise, 0, bad, random.nextInt(good.length - noise.length + 1), noise.length);
        return bad;
    }

    private void assertHeals(String key, byte[] bad, String how) throws IOException {
        server.put(BUCKET, key, bad);
        // Of a segment a restore may need other parts.
        assertThat(restore()).as("%s of %s", how, key).hasSizeBetween(isRecord(key) ? 1 : 0, isTwin(key) ? 0 : 1);
        assertThat(told()).isSubsetOf(key.substring(PREFIX.length()));
        if (random.nextInt(4) == 0) {
            assertThat(StoreVerifier.verify(run(), Depth.FULL, _ -> {}).damaged())
                    .as("%s of %s", how, key)
                    .allMatch(DamagedFile::healable)
                    .extracting(DamagedFile::file)
                    .containsExactly(key.substring(PREFIX.length()));
        }
    }

    @Test
    void aLostRecordIsReadFromItsTwinAndPutBackByTheNextStart() throws IOException {
        for (String key : keys().stream().filter(RemoteHealingTest::isRecord).toList()) {
            byte[] good = server.content(BUCKET, key);
            String file = key.substring(PREFIX.length());
            storage.delete(file);
            assertThat(restore()).as(key).hasSize(1);
            assertThat(told()).containsExactly(file);
            start();
            assertThat(told()).as("the start says so").containsExactly(file);
            assertThat(server.content(BUCKET, key)).isEqualTo(good);
        }
        start();
        assertThat(told()).isEmpty();
    }

    /// The run goes on from its newest checkpoint.
    @Test
    void aStartHealsASegmentThatLostItsEnd() throws IOException {
        String key =
                keys().stream().filter(each -> each.endsWith(".seg")).toList().getFirst();
        byte[] good = server.content(BUCKET, key);
        server.put(BUCKET, key, Arrays.copyOf(good, good.length - good.length / 100));
        start();
        assertThat(told()).containsExactly(key.substring(PREFIX.length()));
    }

    private void start() throws IOException {
        events.clear();
        var state = new Walk(SEED);
        try (Checkpoints checkpoints = open()) {
            assertThat(checkpoints.restoreLatest(state).map(Checkpoint::step)).contains((long) SAVES);
        }
        assertThat(state.isAt(SAVES)).isTrue();
        assertThat(events)
                .allMatch(
                        event -> event instanceof CheckpointEvent.Healed || event instanceof CheckpointEvent.Restored);
    }

    /// Restores the newest checkpoint, bit for bit.
    ///
    /// @return what the restore told
    private List<CheckpointEvent> restore() throws IOException {
        events.clear();
        var state = new Walk(SEED);
        Commit restored = new Restorer(run(), events::add)
                .restore(new Selector.Latest(), state, Matching.WHOLE)
                .orElseThrow();
        assertThat(restored.step()).isEqualTo(SAVES);
        assertThat(state.isAt(SAVES)).isTrue();
        assertThat(events).allMatch(CheckpointEvent.Healed.class::isInstance);
        return events;
    }

    /// The files that were healed.
    private List<String> told() {
        return events.stream()
                .filter(CheckpointEvent.Healed.class::isInstance)
                .map(event -> ((CheckpointEvent.Healed) event).damage().file())
                .toList();
    }

    private CheckpointStore run() {
        return new CheckpointStore(storage);
    }

    private Checkpoints open() throws IOException {
        return Checkpoints.open(
                storage,
                CheckpointOptions.defaults()
                        .withPolicy(new SavePolicy.EverySteps(1))
                        .withCodec(Codec.parse("lossless"))
                        .withoutLog()
                        .withListener(events::add));
    }

    private List<String> keys() {
        return server.keys(BUCKET).stream()
                .filter(key -> key.matches(".*\\.(seg|rec|twin)"))
                .sorted()
                .toList();
    }

    private static boolean isRecord(String key) {
        return key.endsWith(".rec");
    }

    private static boolean isTwin(String key) {
        return key.endsWith(".twin");
    }
}
