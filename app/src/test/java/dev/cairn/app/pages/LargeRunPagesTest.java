package dev.cairn.app.pages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.app.ManyCheckpoints;
import dev.cairn.app.SmallRun;
import dev.cairn.app.text.Json;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The dashboard of a run with ten thousand checkpoints and a million steps, from the first request on. Prints what it
/// measures; docs/PAGES.md has the figures of a machine that did nothing else.
@Tag("soak")
class LargeRunPagesTest {
    private static final int CHECKPOINTS = 10_000;
    private static final int ATTEMPTS = 28;
    private static final int STEPS_EACH = 36_000;
    private static final int SAVE_EVERY = ATTEMPTS * STEPS_EACH / CHECKPOINTS;
    private static final Duration FIRST_PAGE = Duration.ofSeconds(1);
    private static final long MOST_MEMORY = 300_000_000;
    private static final List<String> PAGE = List.of(
            "",
            "uPlot.css",
            "look.css",
            "uPlot.js",
            "parts.js",
            "sentences.js",
            "spacetime.js",
            "lanes.js",
            "runpage.js");

    @TempDir
    Path folder;

    @Test
    void itsFirstPageTakesASecondAndTheServerLittleMemory() throws Exception {
        Path run = folder.resolve("runs/large");
        ManyCheckpoints.make(
                run, SmallRun.train(folder.resolve("pattern"), "lossless", 5, 1, "latest:20000"), CHECKPOINTS);
        events(run);
        try (var dashboard = new DashboardProcess(folder, folder.resolve("runs").toString())) {
            long begin = System.nanoTime();
            for (String file : PAGE) {
                dashboard.get(file.isEmpty() ? "/" : "/pages/" + file);
            }
            String id = Json.parse(dashboard.get("/api/runs"))
                    .path("runs")
                    .path(0)
                    .path("id")
                    .asText();
            String path = "/api/runs/" + id;
            String drawn = path + "?columns=1136";
            JsonNode first = Json.parse(dashboard.get(drawn));
            while (points(first) == 0) {
                first = Json.parse(dashboard.get(drawn));
            }
            double curves = seconds(begin);
            JsonNode table = Json.parse(dashboard.get(path + "/checkpoints?count=50"));
            double all = seconds(begin);
            assertThat(table.path("count").asInt()).isEqualTo(CHECKPOINTS);
            assertThat(table.path("rows")).hasSize(50);
            while (first.path("filesRead").asInt() < ATTEMPTS) {
                first = Json.parse(dashboard.get(drawn));
            }
            double read = seconds(begin);
            assertThat(first.path("facts").path("saves").asInt()).isEqualTo(CHECKPOINTS);
            assertThat(points(first)).isBetween(500, 10_000);
            begin = System.nanoTime();
            int size = dashboard.get(drawn).length();
            double again = seconds(begin);
            double most = dashboard.largestMemory().orElse(0L) / 1e6;
            System.out.printf(
                    Locale.ROOT,
                    "first curves %.2f s, table of %d checkpoints %.2f s, all %d steps read %.2f s, page again %.3f s (%d kB), "
                            + "largest memory %.0f MB%n",
                    curves,
                    CHECKPOINTS,
                    all,
                    ATTEMPTS * STEPS_EACH,
                    read,
                    again,
                    size / 1000,
                    most);
            assertThat(curves).as("the first curves").isLessThan(seconds(FIRST_PAGE));
            assertThat(all).as("the table of checkpoints").isLessThan(seconds(FIRST_PAGE));
            assertThat(most * 1e6).isLessThan(MOST_MEMORY);
        }
    }

    private static int points(JsonNode run) {
        int points = 0;
        for (JsonNode stretch : run.path("lanes").path("loss").path(0).path("stretches")) {
            points += stretch.path("v").size();
        }
        return points;
    }

    private static double seconds(long beginNanos) {
        return (System.nanoTime() - beginNanos) / 1e9;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    /// A run of weeks that began again 27 times, each time where it had ended.
    private static void events(Path run) throws IOException {
        Path events = Files.createDirectories(run.resolve("events"));
        Instant time = Instant.parse("2026-10-01T12:00:00Z");
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            long done = (long) (attempt - 1) * STEPS_EACH;
            try (Writer out = Files.newBufferedWriter(events.resolve("%010d-w0.jsonl".formatted(attempt)), UTF_8)) {
                out.write("""
                        {"event":"attempt","time":"%s","version":1,"attempt":%d,"process":"w0","host":"elsewhere","pid":1}
                        {"event":"started","time":"%s","step":%d,"begin":"%s","steps":1008000,"measure":"accuracy","settings":{"workload":"lenet"}}
                        """.formatted(time, attempt, time, done, attempt == 1 ? "new" : "resumed"));
                for (long step = done + 1; step <= done + STEPS_EACH; step++) {
                    time = time.plusMillis(500);
                    out.write(
                            "{\"event\":\"step\",\"time\":\"%s\",\"step\":%d,\"epoch\":%d,\"loss\":%s,\"rate\":0.01,\"examples\":64}\n"
                                    .formatted(time, step, step / 938, 1.0 / Math.sqrt((double) step)));
                    if (step % SAVE_EVERY == 0 && step / SAVE_EVERY <= CHECKPOINTS) {
                        out.write("""
                                {"event":"committed","time":"%s","step":%d,"number":%d,"id":"%016x","kind":"delta","codec":"lossless","storedBytes":12000,"fullBytes":500000,"stallSeconds":0.001,"persistSeconds":0.01}
                                """.formatted(time, step, step / SAVE_EVERY, step));
                    }
                }
            }
        }
    }
}
