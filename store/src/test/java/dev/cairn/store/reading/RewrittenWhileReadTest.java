package dev.cairn.store.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.ElementType;
import dev.cairn.store.ChainSamples;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.ForwardingBlobStore;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.DamagedFile;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.log.LogRecord.Commit;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Scrubbing and repairs replace files that others are reading. Every file that a reader opens has one damaged place
/// at most, each time another one or none: all of them heal.
class RewrittenWhileReadTest {
    private static final int TRIALS = 150;
    private static final TensorSpec SPEC = ChainSamples.weights("w", ElementType.FLOAT32, 20_000);

    private final MemoryBlobStore blobs = new MemoryBlobStore();

    /// Replaces the segment whenever it is opened.
    private final class Rotting extends ForwardingBlobStore {
        private final String segment;
        private final byte[] sound;
        private final Random random;

        Rotting(String segment, Random random) {
            super(blobs);
            this.segment = segment;
            this.sound = Objects.requireNonNull(blobs.blobs.get(segment));
            this.random = random;
        }

        @Override
        public BlobReader read(String name) throws IOException {
            if (name.equals(segment)) {
                byte[] file = sound.clone();
                if (random.nextInt(3) > 0) {
                    file[random.nextInt(file.length)] ^= (byte) (1 << random.nextInt(8));
                }
                blobs.blobs.put(name, file);
            }
            return super.read(name);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void everyReadHeals(int seed) throws IOException {
        Commit checkpoint = new ChainSamples(blobs, List.of(SPEC)).commit();
        byte[] written = values(new CheckpointStore(blobs), checkpoint);
        var store =
                new CheckpointStore(new Rotting(checkpoint.segments().getFirst().name(), new Random(seed)));
        for (int trial = 0; trial < TRIALS; trial++) {
            assertThat(values(store, checkpoint)).as("trial %d", trial).isEqualTo(written);
            assertThat(StoreVerifier.verify(store, Depth.FULL, _ -> {}).damaged())
                    .as("trial %d", trial)
                    .allMatch(DamagedFile::healable);
        }
    }

    private static byte[] values(CheckpointStore store, Commit checkpoint) throws IOException {
        byte[] values = new byte[(int) SPEC.sizeBytes()];
        try (CheckpointReader reader = store.open(checkpoint)) {
            reader.read(SPEC, MemorySegment.ofArray(values));
        }
        return values;
    }
}
