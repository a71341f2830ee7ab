package dev.cairn.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.WeightError;
import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingEvent.Begin;
import dev.cairn.store.Attributes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
class MetricsServerTest {
    private static final Instant TIME = Instant.parse("2026-11-18T10:00:00Z");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(cairn_[a-z_]+)` \\| (\\w+) \\|(.*)\\|$");
    private static final Pattern SAMPLE = Pattern.compile("(?m)^(cairn_[a-z_]+)\\{([^}]*)} (\\S+)$");
    private static final Pattern NAME = Pattern.compile("cairn_[a-z_]+");
    private static final Pattern WORD = Pattern.compile("`([a-zA-Z]+)`");

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void thePageNamesAllThatIsServedAndNothingElse() throws Exception {
        var documented = new TreeSet<String>();
        var labels = new TreeMap<String, Set<String>>();
        ROW.matcher(page("METRICS.md")).results().forEach(row -> {
            String name = row.group(1);
            if (row.group(2).equals("timer")) {
                documented.addAll(List.of(name + "_count", name + "_sum", name + "_max"));
            } else {
                documented.add(name);
            }
            if (row.group(3).contains(", by `")) {
                List<String> words = WORD.matcher(row.group(3))
                        .results()
                        .map(word -> word.group(1))
                        .toList();
                labels.put(name, new TreeSet<>(words.subList(1, words.size())));
            }
        });
        assertThat(documented).hasSizeGreaterThan(30);
        try (MetricsServer server = MetricsServer.onLoopback(0, "first")) {
            var served = new TreeSet<String>();
            var servedLabels = new TreeMap<String, Set<String>>();
            SAMPLE.matcher(scrape(server)).results().forEach(sample -> {
                served.add(sample.group(1));
                assertThat(sample.group(2)).contains("run=\"first\"");
                for (String label : sample.group(2).split(",", -1)) {
                    if (!label.startsWith("run=")) {
                        servedLabels
                                .computeIfAbsent(sample.group(1), _ -> new TreeSet<>())
                                .add(label.substring(label.indexOf('"') + 1, label.length() - 1));
                    }
                }
            });
            assertThat(served).isEqualTo(documented);
            assertThat(servedLabels).isEqualTo(labels);
        }
    }

    @Test
    void theDashboardAsksForNamesThatAreServed() throws Exception {
        try (MetricsServer server = MetricsServer.onLoopback(0, "first")) {
            String served = scrape(server);
            assertThat(NAME.matcher(page("grafana.json")).results().map(name -> name.group()))
                    .hasSizeGreaterThan(10)
                    .allMatch(name -> served.contains("\n" + name + "{"));
        }
    }

    @Test
    void whatHappensIsServed() throws Exception {
        try (MetricsServer server = MetricsServer.onLoopback(0, "first \"run\"\n")) {
            server.on(
                    new TrainingEvent.Started(TIME, Begin.NEW, 0, 1000, 3, "accuracy", Double.NaN, Attributes.empty()));
            for (long step = 1; step <= 3; step++) {
                server.on(new TrainingEvent.StepMade(TIME, step, 2, 0.5, 0.125, 64));
            }
            server.on(new TrainingEvent.StepMade(TIME, 4, 2, Double.POSITIVE_INFINITY, 0.125, 64));
            server.on(new TrainingEvent.Scored(TIME, 3, "accuracy", 0.75, 1.5, 0.875, 2, 10, Duration.ofSeconds(2)));
            server.on(checkpointed(committed(4)));
            server.on(checkpointed(new CheckpointEvent.SaveFailed(5, new IOException("full"))));
            server.on(checkpointed(new CheckpointEvent.Pruned(List.of(checkpoint(1), checkpoint(2)))));
            String run = "{run=\"first \\\"run\\\"\\n\"}";
            assertThat(scrape(server).lines())
                    .contains(
                            "cairn_training_running" + run + " 1.0",
                            "cairn_training_step" + run + " 4.0",
                            "cairn_training_last_step" + run + " 1000.0",
                            "cairn_training_epoch" + run + " 2.0",
                            "cairn_training_loss" + run + " +Inf",
                            "cairn_training_rate" + run + " 0.125",
                            "cairn_training_steps_total" + run + " 4.0",
                            "cairn_training_examples_total" + run + " 256.0",
                            "cairn_test_score" + run + " 0.75",
                            "cairn_test_best_score" + run + " 0.875",
                            "cairn_test_seconds_sum" + run + " 2.0",
                            "cairn_checkpoints" + run + " 2.0",
                            "cairn_checkpoint_last_step" + run + " 4.0",
                            "cairn_checkpoint_last_bytes" + run + " 4000.0",
                            "cairn_checkpoint_written_bytes_total" + run + " 4000.0",
                            "cairn_checkpoint_stall_seconds_sum" + run + " 0.25",
                            "cairn_checkpoint_pruned_total" + run + " 2.0",
                            "cairn_copy_lag_seconds" + run + " NaN")
                    .anyMatch(line -> line.matches("cairn_checkpoint_saves_total\\{outcome=\"failed\",run=.*} 1.0"));
        }
    }

    /// A page of another site may make its name lead to this machine.
    @Test
    void onTheLoopbackOnlyTheLoopbackIsAnswered() throws Exception {
        try (MetricsServer server = MetricsServer.onLoopback(0, "first")) {
            int port = URI.create(server.address()).getPort();
            assertThat(raw(port, "GET /metrics HTTP/1.1\r\nHost: localhost:%d\r\n".formatted(port)))
                    .contains(" 200 ");
            assertThat(raw(port, "GET /metrics HTTP/1.1\r\nHost: evil.example:%d\r\n".formatted(port)))
                    .contains(" 403 ")
                    .doesNotContain("cairn_");
            assertThat(raw(port, "GET /metrics HTTP/1.0\r\n")).contains(" 403 ");
            assertThat(raw(port, "GET /../etc/passwd HTTP/1.1\r\nHost: localhost\r\n"))
                    .contains(" 404 ");
            assertThat(raw(port, "DELETE /metrics HTTP/1.1\r\nHost: localhost\r\n"))
                    .contains(" 405 ");
        }
    }

    @Test
    void elsewhereARequestNeedsTheToken() throws Exception {
        try (MetricsServer server = MetricsServer.on(InetAddress.getByName("127.0.0.2"), 0, "first", "secret")) {
            assertThat(get(server, Map.of()).statusCode()).isEqualTo(401);
            assertThat(get(server, Map.of("Authorization", "Bearer wrong")).statusCode())
                    .isEqualTo(401);
            assertThat(get(server, Map.of("Authorization", "Bearer secret")).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void clientsThatSayNothingDoNotKeepOthersFromBeingAnswered() throws Exception {
        try (MetricsServer server = MetricsServer.onLoopback(0, "first");
                var mute = new Socket(
                        InetAddress.getLoopbackAddress(),
                        URI.create(server.address()).getPort());
                var slow = new Socket(
                        InetAddress.getLoopbackAddress(),
                        URI.create(server.address()).getPort())) {
            slow.getOutputStream().write("GET /metr".getBytes(StandardCharsets.US_ASCII));
            assertThat(mute.isConnected()).isTrue();
            assertThat(scrape(server)).contains("cairn_training_step");
        }
    }

    private String scrape(MetricsServer server) throws Exception {
        HttpResponse<String> answer = get(server, Map.of());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
        return answer.body();
    }

    private HttpResponse<String> get(MetricsServer server, Map<String, String> headers) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(server.address()));
        headers.forEach(request::header);
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String raw(int port, String head) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write((head + "Connection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String page(String name) throws IOException {
        return Files.readString(Path.of("../docs", name));
    }

    private static TrainingEvent checkpointed(CheckpointEvent event) {
        return new TrainingEvent.Checkpointed(TIME, event);
    }

    private static CheckpointEvent committed(long step) {
        return new CheckpointEvent.Committed(
                checkpoint(step), Duration.ofMillis(250), Duration.ofSeconds(1), WeightError.NONE, Optional.empty());
    }

    private static Checkpoint checkpoint(long step) {
        return new Checkpoint(
                step,
                "00",
                step,
                TIME,
                Checkpoint.Kind.BASE,
                Optional.empty(),
                "lossless",
                4000,
                8000,
                WeightError.NONE,
                Attributes.empty());
    }
}
