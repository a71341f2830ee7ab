package dev.cairn.app.pages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.app.Cli;
import dev.cairn.app.demo.TrainingProcess;
import dev.cairn.app.text.Json;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A real training, whose dashboard and whose metrics are asked by clients that do not read, do not finish or vanish.
/// It goes on, also when the dashboard itself stands still, and has the bits of one that nobody watches.
class StuckClientsTest {
    private static final int EACH = 20;

    /// Far more than fits into a socket that nobody reads, and fewer than the dashboard refuses.
    private static final int REQUESTS = 10;

    private static final long ENDLESS = 100_000_000;
    private static final Pattern METRICS = Pattern.compile("metrics at (http://\\S+)");
    private static final Duration SECOND = Duration.ofSeconds(1);

    @TempDir
    Path folder;

    private final List<Socket> stuck = new ArrayList<>();

    @Test
    void aTrainingDoesNotNoticeThem() throws Exception {
        Path runs = Files.createDirectories(folder.resolve("runs"));
        Path watched = runs.resolve("watched");
        Path log = folder.resolve("training.log");
        try (TrainingProcess training = TrainingProcess.start(log, arguments(watched, ENDLESS, "--metrics-port", "0"));
                DashboardProcess dashboard = new DashboardProcess(folder, runs.toString())) {
            assertThat(training.watchUntil(10, step -> {})).isTrue();
            String run = "/api/runs/" + id(dashboard);
            URI metrics = Eventually.get("the metrics are served", () -> {
                var said = METRICS.matcher(Files.readString(log));
                return said.find() ? Optional.of(URI.create(said.group(1))) : Optional.empty();
            });
            for (int i = 0; i < EACH; i++) {
                send(dashboard.address(), "GET " + run + "/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
                // As much as fits on the way there and back: from then on the server waits to write.
                flood(dashboard.address(), "GET " + run + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
                send(dashboard.address(), "GET " + run + " HTTP/1.1\r\nHost: loc");
                vanish(dashboard.address(), "GET " + run + "/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
                send(metrics, "GET /metrics HTTP/1.1\r\nHost: loc");
                flood(metrics, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
                vanish(metrics, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
            }
            long connected = training.lastStep();
            assertThat(training.watchUntil(connected + 100, step -> {}))
                    .as("it goes on while all of them wait")
                    .isTrue();
            long seen = Json.parse(dashboard.get(run)).path("step").asLong();
            Eventually.holds(
                    "others are answered",
                    () -> Json.parse(dashboard.get(run)).path("step").asLong() > seen);
            Eventually.holds("the dashboard has nothing to do for them", () -> rests(dashboard));
            dashboard.freeze();
            assertThat(training.watchUntil(training.lastStep() + 100, step -> {}))
                    .as("it goes on while the dashboard stands still")
                    .isTrue();
            long saved = Eventually.get("a checkpoint is saved meanwhile", () -> newest(watched, connected));
            training.kill();
            hasTheBitsOfOneThatNobodyWatches(watched, saved);
        } finally {
            for (Socket socket : stuck) {
                socket.close();
            }
        }
    }

    private static List<String> arguments(Path run, long steps, String... more) {
        var all = new ArrayList<>(List.of("lr", "--run", run.toString(), "--steps", Long.toString(steps)));
        all.addAll(List.of("--threads", "1", "--every", "200", "--eval-every", "100000", "--keep", "all"));
        all.addAll(List.of(more));
        return all;
    }

    private static Optional<Long> newest(Path run, long after) {
        Cli listed = Cli.run("ls", run.toString(), "--json");
        JsonNode checkpoints = listed.json().path("checkpoints");
        long step = checkpoints.path(checkpoints.size() - 1).path("step").asLong(-1);
        return step > after ? Optional.of(step) : Optional.empty();
    }

    private void hasTheBitsOfOneThatNobodyWatches(Path watched, long step) {
        Path alone = folder.resolve("alone");
        var command = new ArrayList<>(List.of("train"));
        command.addAll(arguments(alone, step));
        Cli trained = Cli.run(command.toArray(String[]::new));
        assertThat(trained.code()).as(trained.err()).isZero();
        Cli compared = Cli.run("diff", watched + "@" + step, alone + "@" + step, "--exit-code");
        assertThat(compared.code()).as(compared.out() + compared.err()).isZero();
    }

    private static String id(DashboardProcess dashboard) {
        return Eventually.get("the run is listed", () -> {
            JsonNode run = Json.parse(dashboard.get("/api/runs")).path("runs").path(0);
            return run.path("read").asBoolean() ? Optional.of(run.path("id").asText()) : Optional.empty();
        });
    }

    /// Whether the dashboard took less than a third of a core for the last second. On a machine that has no time for it
    /// that says nothing, but then it takes no time from others.
    private static boolean rests(DashboardProcess dashboard) throws InterruptedException {
        Duration before = dashboard.cpu();
        Thread.sleep(SECOND);
        return dashboard.cpu().minus(before).compareTo(SECOND.dividedBy(3)) < 0;
    }

    private Socket send(URI to, String text) throws IOException {
        var socket = new Socket(to.getHost(), to.getPort());
        stuck.add(socket);
        socket.getOutputStream().write(text.getBytes(UTF_8));
        socket.getOutputStream().flush();
        return socket;
    }

    private void flood(URI to, String request) throws IOException {
        var socket = new Socket();
        stuck.add(socket);
        socket.setReceiveBufferSize(1 << 12);
        socket.connect(new InetSocketAddress(to.getHost(), to.getPort()));
        byte[] many = request.repeat(REQUESTS).getBytes(UTF_8);
        socket.getOutputStream().write(many);
        socket.getOutputStream().flush();
    }

    /// Closes without a goodbye, as a machine does whose network is gone and comes back.
    private void vanish(URI to, String text) throws IOException {
        try (Socket socket = send(to, text)) {
            socket.setSoTimeout(1);
            try {
                socket.getInputStream().read();
            } catch (SocketTimeoutException early) {
                // The answer may still be on its way.
            }
            socket.setSoLinger(true, 0);
        }
    }
}
