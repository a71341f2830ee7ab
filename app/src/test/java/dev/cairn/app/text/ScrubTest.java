package dev.cairn.app.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.Scrubbing;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// `--scrub`.
class ScrubTest {
    @Test
    void isOffOrAPeriodWithARate() {
        var scrub = new Scrub();
        assertThat(scrub.convert("off")).isEqualTo(new Scrubbing.Off());
        assertThat(scrub.convert("12h"))
                .isEqualTo(new Scrubbing.Every(Duration.ofHours(12), Scrubbing.USUAL_BYTES_PER_SECOND));
        assertThat(scrub.convert("7d,5M")).isEqualTo(new Scrubbing.Every(Duration.ofDays(7), 5_000_000));
    }
}
