package dev.cairn.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.store.LogRecord.Checkpoint;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs written by earlier versions are read by this one, bit for bit. The files were made by that version's
/// [CheckpointWriter] from [Samples] and are never made again.
class GoldenFileTest {
    @ParameterizedTest
    @ValueSource(strings = {"v1"})
    void readsWhatEarlierVersionsWrote(String version) throws IOException, URISyntaxException {
        Path run = Path.of(Objects.requireNonNull(getClass().getResource("/golden/" + version))
                .toURI());
        var store = new CheckpointStore(new LocalBlobStore(run));
        List<Checkpoint> checkpoints = CheckpointStoreTest.checkpoints(store);
        assertThat(checkpoints).extracting(Checkpoint::step).containsExactly(3L, 4L);
        for (Checkpoint checkpoint : checkpoints) {
            assertThat(Samples.matches(store, checkpoint)).isTrue();
        }
        var report = StoreVerifier.verify(store, StoreVerifier.Depth.FULL, c -> {});
        assertThat(report.ok()).isTrue();
        assertThat(report.checkpoints()).isEqualTo(3);
    }
}
