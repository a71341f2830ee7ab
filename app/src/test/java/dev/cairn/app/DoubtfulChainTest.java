package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a training says whose own checkpoints are damaged beside it, and what it does about it.
class DoubtfulChainTest {
    private static final int EVERY = 10;
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(5);

    @TempDir
    Path folder;

    private final StringWriter err = new StringWriter();

    @Test
    void itSaysWhatMayBeLostAndSavesTheStateWhole() throws IOException {
        String run = folder.resolve("run").toString();
        int code = Main.run(
                new PrintWriter(new Watching(), true),
                new PrintWriter(err, true),
                "train",
                "lr",
                "--run",
                run,
                "--steps",
                "1000000",
                "--every",
                Integer.toString(EVERY),
                "--keep",
                "all",
                "--threads",
                "1",
                "--trace-steps",
                "--notice-file",
                notice().toString());
        assertThat(code).as(err.toString()).isEqualTo(75);
        List<String> told = err.toString()
                .lines()
                .filter(line -> line.contains("may be damaged"))
                .toList();
        assertThat(told)
                .singleElement()
                .asString()
                .matches(
                        "cairn: warning: step \\d+0, and earlier checkpoints that need the same files, may be damaged: "
                                + "damaged: segments/0000000001-.*; training continues, and a full checkpoint is saved now; "
                                + "'cairn verify' shows which checkpoints are good");
        assertThat(err.toString()).doesNotContain("tries again");
        int doubtful = Integer.parseInt(told.getFirst().replaceAll(".*: step (\\d+),.*", "$1"));
        JsonNode checkpoints = Cli.run("ls", run, "--json").json().path("checkpoints");
        int newest = checkpoints.get(checkpoints.size() - 1).path("step").asInt();
        List<JsonNode> later = StreamSupport.stream(checkpoints.spliterator(), false)
                .filter(checkpoint -> checkpoint.path("step").asInt() > doubtful)
                .dropWhile(checkpoint -> !checkpoint.path("kind").asText().equals("base"))
                .toList();
        assertThat(later)
                .isNotEmpty()
                .allMatch(checkpoint -> !checkpoint.path("status").asText().equals("damaged"));
        assertThat(later.getFirst().path("step").asInt())
                .as("at most one save was under way")
                .isLessThanOrEqualTo(doubtful + 2 * EVERY);
        Cli on = Cli.run("train", "lr", "--run", run, "--steps", Integer.toString(newest + 1), "--json");
        assertThat(on.err()).doesNotContain("skipped ");
        assertThat(on.json().path("resumedFromStep").asInt()).isEqualTo(newest);
    }

    private Path notice() {
        return folder.resolve("notice");
    }

    /// Reads along with the steps, on the thread that makes them: after the first save its segment is damaged, and when
    /// that is noticed, or nobody notices, the training is told to end. Steps take long enough for others to work.
    private final class Watching extends StringWriter {
        private final long start = System.nanoTime();
        private boolean damaged;

        @Override
        public void flush() {
            try {
                if (!damaged && Files.exists(folder.resolve("run/log/0000000001.rec"))) {
                    SmallRun.damage(firstSegment());
                    damaged = true;
                }
                if (err.toString().contains("may be damaged") || System.nanoTime() - start > PATIENCE_NANOS) {
                    Files.writeString(notice(), "");
                } else {
                    Thread.sleep(1);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Path firstSegment() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("run/segments"))) {
            return files.filter(file -> file.toString().endsWith(".seg"))
                    .min(Path::compareTo)
                    .orElseThrow();
        }
    }
}
