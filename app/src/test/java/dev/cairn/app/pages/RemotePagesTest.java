package dev.cairn.app.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.app.Cli;
import dev.cairn.app.text.Json;
import dev.cairn.s3.Clients;
import dev.cairn.s3.server.AtomicS3;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is seen of a run in object storage: the dashboard, a report, curves for TensorBoard. Its figures of the machine
/// are those of any run.
class RemotePagesTest {
    private static final String RUN = "s3://bucket/runs/first";
    private static final Pattern DATA = Pattern.compile("id=\"data\">(.*?)</script>", Pattern.DOTALL);

    @TempDir
    Path folder;

    private AtomicS3 server;

    @BeforeEach
    void start() throws IOException {
        Clients.useMadeUpCredentials();
        server = new AtomicS3("bucket");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String[] remote(String... arguments) {
        var all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--endpoint", server.endpoint().toString(), "--path-style"));
        return all.toArray(String[]::new);
    }

    private void train(int steps, String... more) {
        var all = new ArrayList<>(List.of("train", "lr", "--run", RUN, "--steps", Integer.toString(steps)));
        all.addAll(List.of("--every", "50", "--eval-every", "50", "--threads", "1", "--summary-every", "10"));
        all.addAll(List.of(more));
        Cli trained = Cli.run(remote(all.toArray(String[]::new)));
        assertThat(trained.code()).as(trained.err()).isZero();
        assertThat(trained.err()).doesNotContain("not recorded");
    }

    @Test
    void aReportHasItsCurvesCheckpointsAndFigures() throws IOException {
        train(100);
        train(200);
        Path file = folder.resolve("report.html");
        Cli report = Cli.run(remote("report", RUN, "--out", file.toString()));
        assertThat(report.code()).as(report.err()).isZero();
        Matcher data = DATA.matcher(Files.readString(file));
        assertThat(data.find()).isTrue();
        isWhole(Json.parse(data.group(1)).path("run"), 200);
        assertThat(Json.parse(data.group(1)).path("checkpoints").path("count").asInt())
                .isPositive();
    }

    @Test
    void theDashboardShowsItAndWhatComesLater() throws Exception {
        train(100);
        var out = new StringWriter();
        Thread serving =
                Thread.ofPlatform().start(() -> Cli.run(out, remote("dashboard", RUN, "--port", "0", "--json")));
        try {
            URI address = Eventually.get(
                    "the address is printed",
                    () -> out.toString().contains("}")
                            ? Optional.of(URI.create(
                                    Json.parse(out.toString()).path("address").asText()))
                            : Optional.empty());
            JsonNode listed =
                    Json.parse(read(address, "/api/runs")).path("runs").path(0);
            assertThat(listed.path("name").asText()).isEqualTo("first");
            String run = "/api/runs/" + listed.path("id").asText();
            isWhole(await(address, run, 100), 100);
            train(200);
            isWhole(await(address, run, 200), 200);
            JsonNode table = Json.parse(read(address, run + "/checkpoints"));
            String newest = table.path("rows").path(0).path("number").asText();
            JsonNode checkpoint = Json.parse(read(address, run + "/checkpoints/" + newest));
            assertThat(checkpoint.path("step").asInt()).isEqualTo(200);
            assertThat(checkpoint.path("place").asText()).isEqualTo(RUN);
            assertThat(checkpoint.path("tensors")).isNotEmpty();
            assertThat(Json.parse(read(address, "/api/places"))
                            .path("runs")
                            .path(0)
                            .path("storedBytes")
                            .asLong())
                    .isPositive();
        } finally {
            serving.interrupt();
            serving.join();
        }
    }

    @Test
    void curvesForTensorBoardAreInTheBucketOrInAFolder() throws IOException {
        train(100);
        train(200, "--tensorboard", folder.resolve("boards").toString());
        List<String> objects = server.keys("bucket").stream()
                .filter(key -> key.startsWith("runs/first/tensorboard/w0/events.out.tfevents.0000000001."))
                .toList();
        assertThat(objects).isNotEmpty();
        var content = new StringBuilder();
        objects.forEach(key -> content.append(new String(server.content("bucket", key), StandardCharsets.ISO_8859_1)));
        assertThat(content).contains("brain.Event:2", "train/loss", "test/accuracy", "checkpoint/bytes", "weights/");
        try (var files = Files.list(folder.resolve("boards/first/w0"))) {
            assertThat(files).hasSize(1);
        }
        assertThat(Cli.run(remote("verify", RUN)).code()).isZero();
        int before = server.keys("bucket").size();
        train(300, "--tensorboard", "off");
        assertThat(server.keys("bucket").stream().filter(key -> key.contains("/tensorboard/")))
                .hasSameSizeAs(objects);
        assertThat(server.keys("bucket")).hasSizeGreaterThan(before);
    }

    private static JsonNode await(URI address, String run, long step) {
        return Eventually.get("step " + step + " is shown", () -> {
            Thread.sleep(50); // fewer requests than are refused
            JsonNode document = Json.parse(read(address, run));
            boolean there = document.path("step").asLong() == step
                    && document.path("state").asText().equals("done");
            return there ? Optional.of(document) : Optional.empty();
        });
    }

    private static void isWhole(JsonNode run, long steps) {
        assertThat(run.path("name").asText()).isEqualTo("first");
        assertThat(run.path("place").asText()).isEqualTo(RUN);
        assertThat(run.path("state").asText()).isEqualTo("done");
        assertThat(run.path("step").asLong()).isEqualTo(steps);
        long points = 0;
        for (JsonNode stretch : run.path("lanes").path("loss").path(0).path("stretches")) {
            points += stretch.path("v").size();
        }
        assertThat(points).isGreaterThanOrEqualTo(steps / 2);
        assertThat(run.path("lanes").path("scores").path("v")).hasSize((int) steps / 50);
        assertThat(run.path("lanes").path("saves").path("bytes")).isNotEmpty();
    }

    private static String read(URI address, String path) throws IOException {
        try (var in = address.resolve(path).toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
