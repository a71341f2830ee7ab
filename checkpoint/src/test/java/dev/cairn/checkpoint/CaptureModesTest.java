package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.store.Damage;
import dev.cairn.store.retention.Retention;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CaptureModesTest {
    /// Up to here a segment tells whose it is; from here on it is blocks, their tables and checksums.
    private static final int SEGMENT_HEADER_BYTES = 28;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"full", "lossless", "lossy", "lc:3", "topn:0.1", "excp"})
    void bothModesWriteTheSameBits(String codec) throws IOException {
        List<byte[]> copied = train(codec, CaptureMode.COPY);
        List<byte[]> fused = train(codec, CaptureMode.FUSED);
        assertThat(copied).hasSize(12);
        assertThat(fused).hasSameSizeAs(copied);
        for (int i = 0; i < copied.size(); i++) {
            assertThat(fused.get(i)).as("save %d", i).isEqualTo(copied.get(i));
        }
    }

    /// Saves every second step; the segments in order, without what tells them apart.
    private List<byte[]> train(String codec, CaptureMode mode) throws IOException {
        Path run = folder.resolve(mode.name());
        var options = CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(2))
                .withCodec(Yardstick.parse(codec))
                .withLongestChain(100)
                .withRetention(Retention.parse("all"))
                .withCapture(mode)
                .withoutLog();
        var state = new WalkingState();
        try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
            while (state.step < 23) {
                checkpoints.beforeUpdate();
                state.makeStep();
                checkpoints.awaitSave(); // on a busy machine a save would be skipped
                checkpoints.afterStep(state.step, state);
            }
            checkpoints.saveNow(state.step, state);
        }
        try (Stream<Path> files = Files.list(run.resolve("segments"))) {
            var segments = new ArrayList<byte[]>();
            for (Path file : files.sorted().toList()) {
                byte[] bytes = Files.readAllBytes(file);
                segments.add(Arrays.copyOfRange(bytes, SEGMENT_HEADER_BYTES, Damage.contentBytes(bytes)));
            }
            return segments;
        }
    }
}
