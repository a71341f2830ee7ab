package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.store.CheckpointStore;
import dev.cairn.store.LocalBlobStore;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.StoreVerifier;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Runs of earlier versions, of every codec, restore to the bits that their writers held. They were made from
/// [WalkingState], fifteen steps with a save every fifth, and are never made again.
class GoldenRunTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "v2-lossless, ed90b1c695ad4e17505b207b55cba678d9a5548d273b21e8c67227293d872cfe",
        "v2-lossy, 9b6ad814d93f757dcd0eb62178688a25e6ef7c38f91320de4b9557cdbb44bf0b",
        "v2-lc3, 309a4530ef700b1aab947fd30d23aa0a85fbcd3ecd686f57f79ee439f320c210"
    })
    void restoresWhatTheWriterHeld(String version, String digest) throws IOException, URISyntaxException {
        Path golden = Path.of(Objects.requireNonNull(getClass().getResource("/golden/" + version))
                .toURI());
        Path run = copy(golden);
        var state = new WalkingState();
        try (Checkpoints checkpoints =
                Checkpoints.open(run, CheckpointOptions.defaults().withListener(event -> {}))) {
            assertThat(checkpoints.restoreLatest(state).map(Checkpoint::step)).contains(15L);
        }
        assertThat(state.digest()).isEqualTo(digest);
        var store = new CheckpointStore(new LocalBlobStore(run));
        assertThat(StoreVerifier.verify(store, StoreVerifier.Depth.FULL, c -> {})
                        .ok())
                .isTrue();
    }

    /// The test's own copy: opening a run writes its lock.
    private Path copy(Path golden) throws IOException {
        try (var files = Files.walk(golden)) {
            for (Path file : files.toList()) {
                Path target = folder.resolve(golden.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
        return folder;
    }
}
