package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cairn.store.blob.LocalBlobStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointOptionsTest {
    private final CheckpointOptions defaults = CheckpointOptions.defaults();

    @Test
    void aChangeOfOneOptionKeepsTheOthers() {
        var codec = new Codec.Full();
        var scrubbing = new Scrubbing.Every(Duration.ofHours(1), 1000);
        CheckpointOptions changed = defaults.withScrubbing(scrubbing)
                .withLongestChain(3)
                .withCodec(codec)
                .withWriteLimit(1000)
                .withSaveThreads(4)
                .withCapture(CaptureMode.FUSED)
                .withPolicy(new SavePolicy.EverySteps(7));
        assertThat(changed.encoding()).isEqualTo(new CheckpointOptions.Encoding(codec, 3));
        assertThat(changed.resources().saveThreads()).isEqualTo(4);
        assertThat(changed.resources().capture()).isEqualTo(CaptureMode.FUSED);
        assertThat(changed.resources().writeLimit()).hasValue(1000);
        assertThat(changed.resources().scrubbing()).isEqualTo(scrubbing);
        assertThat(changed.policy()).isEqualTo(new SavePolicy.EverySteps(7));
        assertThat(changed.retention()).isEqualTo(defaults.retention());
        assertThat(changed.environment()).isEqualTo(defaults.environment());
    }

    @Test
    void whatCannotBeIsRefusedWithACure() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> defaults.withWriteLimit(0))
                .withMessageContaining("for no limit, do not set one");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> defaults.withLongestChain(-1))
                .withMessageContaining("0 makes every checkpoint a base");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> defaults.withSaveThreads(0))
                .withMessageContaining("at least one thread");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Scrubbing.Every(Duration.ZERO, 1))
                .withMessageContaining("to check nothing, use Off");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Scrubbing.Every(Duration.ofDays(1), 0))
                .withMessageContaining("to read nothing, use Off");
    }

    @Test
    void aCopyInThePlaceOfTheRunIsRefused(@TempDir Path run) throws IOException {
        var itself = new LocalBlobStore(run.resolve(".").resolve("run"));
        CheckpointOptions options = defaults.withCopy(itself, Duration.ZERO);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checkpoints.open(run.resolve("run"), options).close())
                .withMessageContaining("another storage");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checkpoints.open(itself, options).close());
        try (Checkpoints checkpoints = Checkpoints.open(run.resolve("other"), options)) {
            assertThat(checkpoints.count()).isZero();
        }
    }
}
