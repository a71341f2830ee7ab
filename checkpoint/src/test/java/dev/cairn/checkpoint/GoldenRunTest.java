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

/// Runs of every version and codec restore to the bits that their writers held. They were made from [WalkingState] with
/// a save every fifth step, those of version 3 with merged and pruned chains, that of version 4 by two processes of
/// which neither gave the run back, and are never made again.
class GoldenRunTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "v2-lossless, 30, 15, ed90b1c695ad4e17505b207b55cba678d9a5548d273b21e8c67227293d872cfe",
        "v2-lossy, 30, 15, 9b6ad814d93f757dcd0eb62178688a25e6ef7c38f91320de4b9557cdbb44bf0b",
        "v2-lc3, 30, 15, 309a4530ef700b1aab947fd30d23aa0a85fbcd3ecd686f57f79ee439f320c210",
        "v3-lossless, 90, 45, 045d77c9ab3b89f4e3cafb4c5b7a0ef465116614ba59fb6288fb7f279d8956bb",
        "v3-lossy, 90, 45, 15732f391138a5cc58ac60d98c862262c8c0357a27145e9cfd5e82407ac9700c",
        "v3-lc, 90, 45, 0ee038f9626da87ff3bbe3adb980e41d0fde970dc0743c58200dab3fdc14865e",
        "v3-scar, 90, 45, 0ef3b335147f175b7d817f4a8ba7b5d75a5435665dbb83a2f6fc78778cb65da6",
        "v3-topn, 90, 45, 1fb9537ed484b037031850e8f6a28c9b6205d53ba9bb3bdb415a3d57ac2974c1",
        "v3-l2, 90, 45, 870d46723862a08e51dbd99e3774d63c4292f92b349e2bc4e767041056292dbe",
        "v3-excp, 90, 45, 9d15888d9e7ae07f4d2403354ecbb2ea385f92f9b2b121f6b57002d2e666fbae",
        "v4-takeover, 30, 15, ed90b1c695ad4e17505b207b55cba678d9a5548d273b21e8c67227293d872cfe"
    })
    void restoresWhatTheWriterHeld(String version, int rows, long step, String digest)
            throws IOException, URISyntaxException {
        Path golden = Path.of(Objects.requireNonNull(getClass().getResource("/golden/" + version))
                .toURI());
        Path run = copy(golden);
        var state = new WalkingState(rows);
        try (Checkpoints checkpoints =
                Checkpoints.open(run, CheckpointOptions.defaults().withListener(event -> {}))) {
            assertThat(checkpoints.restoreLatest(state).map(Checkpoint::step)).contains(step);
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
