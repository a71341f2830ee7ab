package dev.cairn.app.pages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.app.Cli;
import dev.cairn.app.demo.TrainingProcess;
import dev.cairn.app.text.Json;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The pages in a real browser, of real trainings. Their pictures are in `target/screenshots`.
@Tag("browser")
class PagesTest {
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");

    @TempDir
    Path folder;

    private Path runs = Path.of("");
    private URI address = URI.create("about:blank");
    private Thread serving = new Thread();

    @BeforeEach
    void serve() throws IOException {
        assumeTrue(
                Browser.isThere(),
                "no chromium and chromedriver in /usr/bin: apt-get install chromium chromium-driver");
        runs = Files.createDirectories(folder.resolve("runs"));
        var out = new StringWriter();
        serving = Thread.ofPlatform().start(() -> Cli.run(out, "dashboard", runs.toString(), "--port", "0", "--json"));
        address = Eventually.get(
                "the address is printed",
                () -> out.toString().contains("}")
                        ? Optional.of(URI.create(
                                Json.parse(out.toString()).path("address").asText()))
                        : Optional.empty());
    }

    @AfterEach
    void stop() throws InterruptedException {
        serving.interrupt();
        serving.join();
    }

    @Test
    void aLiveRunAppearsAndMovesAndItsKillAndRecoveryAreSeen() throws Exception {
        try (var browser = new Browser(folder.resolve("profile"), SCREENSHOTS)) {
            browser.show(1280, false);
            browser.open(address);
            browser.await("No run is here yet");
            browser.picture("empty");
            browser.run("window.marker = 'not reloaded'");
            try (TrainingProcess training = train("live", 100_000)) {
                training.watchUntil(20, step -> {});
                browser.await("training");
                browser.click("tr.go a");
                browser.await("One time axis");
                long first = step(browser);
                Eventually.holds("the page moves", () -> step(browser) > first + 10);
                Eventually.holds("a checkpoint is drawn", () -> !browser.text().contains("nothing is saved yet"));
                browser.picture("live");
                training.kill();
            }
            browser.await("Killed at step");
            assertThat(browser.text()).contains("the same command resumes it");
            browser.picture("killed");
            try (TrainingProcess training = train("live", 100_000)) {
                browser.await("Resumed from step");
                Eventually.holds(
                        "the recovery is on the timeline", () -> browser.text().contains("training again after"));
                training.watchUntil(training.lastStep() + 50, step -> {});
                browser.picture("recovered");
                assertThat(browser.run("return window.marker")).isEqualTo("not reloaded");
                browser.isSound("a live run");
            }
        }
    }

    @Test
    void everyPageIsSoundInLightAndDarkOnWideAndNarrowScreens() throws Exception {
        makeRuns();
        Map<String, URI> pages = pages();
        try (var browser = new Browser(folder.resolve("profile"), SCREENSHOTS)) {
            for (Map.Entry<String, URI> page : pages.entrySet()) {
                for (int width : List.of(1280, 390)) {
                    for (boolean dark : List.of(false, true)) {
                        String name = "%s-%d-%s".formatted(page.getKey(), width, dark ? "dark" : "light");
                        browser.show(width, dark);
                        browser.open(page.getValue());
                        Eventually.holds(
                                name + " is drawn",
                                () -> !browser.find("main section").isEmpty()
                                        && !browser.text().contains("Loading …"));
                        browser.picture(name);
                        assertThat(browser.text()).as(name).doesNotContain("cannot be shown");
                        browser.isSound(name);
                    }
                }
            }
            browser.show(1280, false);
            browser.open(address);
            browser.await("hostile");
            assertThat(browser.run("return window.hacked"))
                    .as("no script of a name ran")
                    .isNull();
            assertThat(browser.run("return document.querySelectorAll('img').length"))
                    .isEqualTo(0L);
        }
    }

    private void makeRuns() throws Exception {
        makeTeam();
        try (TrainingProcess training = train("first", 1200)) {
            training.watchUntil(700, step -> {});
            training.kill();
        }
        try (TrainingProcess training = train("first", 1200)) {
            training.watchToEnd(step -> {});
        }
        assertThat(Cli.run("train", "lr", "--run", runs.resolve("small").toString(), "--steps", "300")
                        .code())
                .isZero();
        Path hostile = Files.createDirectories(
                runs.resolve("hostile <img src=x onerror=hacked=1>\"&'").resolve("events"));
        Files.writeString(hostile.resolve("0000000001-w0.jsonl"), """
                {"event":"attempt","time":"2026-11-19T12:00:00Z","pid":1,"host":"elsewhere"}
                {"event":"started","time":"2026-11-19T12:00:00Z","step":0,"begin":"<b>","steps":10,"measure":"<img src=x onerror=hacked=1>","settings":{"<img src=x onerror=hacked=1>":"</script><script>hacked=1</script>"}}
                {"event":"step","time":"2026-11-19T12:00:01Z","step":1,"loss":null}
                {"event":"step","time":"2026-11-19T12:00:02Z","step":2,"loss":1e30}
                {"event":"scored","time":"2026-11-19T12:00:02Z","step":2,"measure":"<img src=x onerror=hacked=1>","score":null}
                {"event":"saveFailed","time":"2026-11-19T12:00:03Z","step":2,"reason":"<img src=x onerror=hacked=1>"}
                """);
    }

    /// A training of three workers, one of which is killed. A second host's figures stand beside it.
    private void makeTeam() throws Exception {
        Path run = runs.resolve("team");
        try (TrainingProcess training = TrainingProcess.start(
                folder.resolve("team.log"),
                List.of(
                        "lenet",
                        "--run",
                        run.toString(),
                        "--steps",
                        "400",
                        "--workers",
                        "3",
                        "--threads",
                        "1",
                        "--every",
                        "50",
                        "--eval-every",
                        "100"))) {
            assertThat(training.watchUntil(120, step -> {})).isTrue();
            JsonNode processes = Eventually.get("a spare process is ready", () -> {
                JsonNode found = Cli.run("ps", run.toString(), "--json").json().path("processes");
                return found.findValuesAsText("state").contains("ready") ? Optional.of(found) : Optional.empty();
            });
            for (JsonNode process : processes) {
                if (process.path("rank").asInt(-1) == 1) {
                    ProcessHandle.of(process.path("pid").asLong()).orElseThrow().destroyForcibly();
                }
            }
            assertThat(training.watchToEnd(step -> {}).path("failures")).isNotEmpty();
        }
        Path figures = run.resolve("system/0000000001-supervisor.jsonl");
        Files.writeString(
                figures.resolveSibling("0000000001-agent1.jsonl"),
                Files.readString(figures)
                        .replaceFirst("\"host\":\"[^\"]*\"", "\"host\":\"host-b\"")
                        .replace("\"name\":\"w", "\"name\":\"b"));
    }

    private Map<String, URI> pages() throws Exception {
        var ids = new ArrayList<String>();
        var pages = new LinkedHashMap<String, URI>();
        JsonNode listed = Eventually.get("all runs are read", () -> {
            JsonNode found = Json.parse(read("/api/runs")).path("runs");
            boolean all = found.size() == 4;
            for (JsonNode each : found) {
                all &= each.path("read").asBoolean();
            }
            return all ? Optional.of(found) : Optional.empty();
        });
        for (JsonNode run : listed) {
            ids.add(run.path("id").asText());
            String name = run.path("name").asText().split(" ", 2)[0];
            pages.put("run-" + name, address.resolve("/#/run/" + run.path("id").asText()));
            if (name.equals("first")) {
                String newest = Json.parse(read("/api/runs/" + run.path("id").asText() + "/checkpoints"))
                        .path("rows")
                        .path(0)
                        .path("number")
                        .asText();
                pages.put(
                        "checkpoint", address.resolve("/#/run/" + run.path("id").asText() + "/checkpoint/" + newest));
            }
        }
        pages.put("runs", address.resolve("/"));
        pages.put("places", address.resolve("/#/places"));
        pages.put("compare", address.resolve("/#/compare/" + String.join(",", ids)));
        Path report = folder.resolve("report.html");
        assertThat(Cli.run("report", runs.resolve("first").toString(), "--out", report.toString())
                        .code())
                .isZero();
        pages.put("report", report.toUri());
        return pages;
    }

    private String read(String path) throws IOException {
        try (var in = address.resolve(path).toURL().openStream()) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private TrainingProcess train(String run, long steps) throws IOException {
        return TrainingProcess.start(
                folder.resolve("training.log"),
                List.of(
                        "lenet",
                        "--run",
                        runs.resolve(run).toString(),
                        "--steps",
                        Long.toString(steps),
                        "--threads",
                        "1",
                        "--every",
                        "50",
                        "--eval-every",
                        "100",
                        "--keep",
                        "latest:5,best:1"));
    }

    private static long step(Browser browser) {
        Object shown = browser.run(
                "const b = document.querySelector('.top b'); return b ? b.textContent.replaceAll(',', '') : '0'");
        return Long.parseLong(String.valueOf(shown));
    }
}
