package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Ten thousand checkpoints are looked at in a moment. The bound is generous, for a machine that has other
/// things to do: it finds what takes a time that grows with the square.
class ManyCheckpointsTest {
    private static final int COUNT = 10_000;
    private static final Duration BOUND = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    @Test
    void tenThousandAreListedAndShownInAMoment() throws IOException {
        SmallRun pattern = SmallRun.train(folder.resolve("pattern"), "lossless", 5, 1);
        Path run = folder.resolve("run");
        ManyCheckpoints.make(run, pattern, COUNT);
        Files.delete(new SmallRun(run).segment(12));
        JsonNode rows = within("ls", run.toString(), "--json").json().path("checkpoints");
        assertThat(rows).hasSize(COUNT);
        assertThat(rows.get(COUNT - 1).path("status").asText()).isEqualTo("good");
        assertThat(rows.get(5).path("status").asText()).isEqualTo("unknown");
        assertThat(rows.get(12).path("status").asText()).isEqualTo("damaged");
        assertThat(rows.get(14).path("status").asText()).as("it needs that one").isEqualTo("damaged");
        assertThat(within("ls", run.toString()).out()).contains("10000 checkpoints");
        assertThat(within("show", run.toString(), "--json").json().path("chain"))
                .hasSize(5);
        assertThat(within("show", run + "@10").out()).startsWith("step 10, base");
    }

    private static Cli within(String... arguments) {
        // Not by the clock: others may want the machine, too. All threads count, those that have ended as well.
        var process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long start = process.getProcessCpuTime();
        Cli result = Cli.run(arguments);
        assertThat(result.code()).isZero();
        assertThat(Duration.ofNanos(process.getProcessCpuTime() - start))
                .as(String.join(" ", arguments))
                .isLessThan(BOUND);
        return result;
    }
}
