package dev.cairn.dashboard.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.dashboard.RecordedRun;
import dev.cairn.dashboard.run.Places;
import dev.cairn.store.Clock;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.location.RunLocation.Folder;
import dev.cairn.testkit.Eventually;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DashboardServerTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    private DashboardServer server;
    private RecordedRun run;

    @BeforeEach
    void start() throws IOException {
        run = RecordedRun.killedAndResumed(folder.resolve("runs/first"));
        server = started("127.0.0.1");
    }

    private DashboardServer started(String host) throws IOException {
        return started(host, new RateLimit(1e9, 1e9, Clock.system()));
    }

    private DashboardServer started(String host, RateLimit rate) throws IOException {
        var places = new Places(
                List.<RunLocation>of(new Folder(folder.resolve("runs"))),
                location -> new LocalBlobStore(((Folder) location).path()),
                Clock.system());
        return DashboardServer.start(places, host, 0, "1", Clock.system(), rate);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void tellsOfRunsAndOfWhatHappenedInThem() throws Exception {
        JsonNode listed = awaitRuns(1).path(0);
        assertThat(listed.path("name").asText()).isEqualTo("first");
        String id = listed.path("id").asText();
        JsonNode document = json("/api/runs/" + id);
        assertThat(document.path("state").asText()).isEqualTo("done");
        assertThat(document.path("lanes").path("failures")).hasSize(1);
        assertThat(document.path("happened").path(0).path("kind").asText()).isNotEmpty();
        assertThat(json("/api/runs/" + id + "/checkpoints").path("count").asInt())
                .isZero();
        assertThat(json("/api/places").path("runs")).hasSize(1);
        HttpResponse<String> report = get("/api/runs/" + id + "/report");
        assertThat(report.body()).startsWith("<!doctype html>");
        assertThat(report.headers().firstValue("Content-Disposition")).contains("attachment; filename=\"report.html\"");

        RecordedRun.killedAndResumed(folder.resolve("runs/group/second"));
        assertThat(awaitRuns(2)).extracting(each -> each.path("name").asText()).contains("second");
    }

    @Test
    void newsArrivesWithoutAsking() throws Exception {
        String id = awaitRuns(1).path(0).path("id").asText();
        try (Socket socket = connect()) {
            send(socket, "GET /api/runs/%s/live HTTP/1.1\r\nHost: localhost:%d\r\n\r\n".formatted(id, server.port()));
            var lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
            long first = nextNumber(lines);
            run.attempt(3, "w0").started("resumed", 100, 200).steps(101, 120).write();
            long second = first;
            while (json("/api/runs/" + id).path("step").asInt() < 120) {
                second = nextNumber(lines);
            }
            assertThat(second).isGreaterThan(first);
        }
        Eventually.holds("the server forgets a page that is gone", () -> server.listeners() == 0);
    }

    @Test
    void aPageThatDoesNotReadHarmsNobody() throws Exception {
        String id = awaitRuns(1).path(0).path("id").asText();
        var sockets = new ArrayList<Socket>();
        try {
            for (int i = 0; i < 80; i++) { // more than there are places
                Socket socket = connect();
                sockets.add(socket);
                send(socket, "GET /api/runs/%s/live HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(id));
            }
            for (int i = 0; i < 20; i++) {
                Socket half = connect();
                sockets.add(half);
                send(half, "GET /api/runs HTTP/1.1\r\nHost: loc"); // and never the rest
            }
            assertThat(json("/api/runs/" + id).path("step").asInt()).isEqualTo(100);
            assertThat(server.listeners()).isLessThanOrEqualTo(64);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void refusesWhatIsNotItsBusiness() throws Exception {
        Files.writeString(folder.resolve("secret"), "secret");
        for (String path : List.of(
                "/../secret",
                "/pages/../../secret",
                "/pages/..%2f..%2fsecret",
                "/pages/%2e%2e/%2e%2e/secret",
                "/pages//etc/passwd",
                "/api/runs/..%2f..%2fsecret",
                "/api/runs/%00",
                "/api/runs/ffffffffffffffff",
                "/api/runs/ffffffffffffffff/report",
                "/pages/uplot/LICENSE",
                "/secret")) {
            assertThat(raw("GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".formatted(path)))
                    .as(path)
                    .matches("(?s)HTTP/1.1 40[04].*")
                    .doesNotContain("root:", "secret\r\n\r\nsecret");
        }
        assertThat(raw("GET /api/runs HTTP/1.1\r\nHost: evil.com\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 403");
        assertThat(
                        raw(
                                "GET /api/runs HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.com\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 403");
        assertThat(
                        raw(
                                "POST /api/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc"))
                .startsWith("HTTP/1.1 405");
        assertThat(
                        raw(
                                "GET /api/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000000\r\nConnection: close\r\n\r\nabc"))
                .startsWith("HTTP/1.1 413");
        assertThat(raw("GET /api/runs HTTP/1.1\r\nHost: localhost\r\nX: %s\r\nConnection: close\r\n\r\n"
                        .formatted("x".repeat(20_000))))
                .startsWith("HTTP/1.1 431");
    }

    @Test
    void nothingThatDeploysWebApplicationsIsOnTheClassPath() {
        assertThat(System.getProperty("java.class.path").split(File.pathSeparator))
                .filteredOn(jar -> jar.contains("jetty"))
                .isNotEmpty()
                .noneMatch(jar -> jar.matches(".*(webapp|annotations|jndi|plus|xml|cdi).*"));
    }

    @Test
    void whoAsksTooOftenWaits() throws Exception {
        server.close();
        server = started("127.0.0.1", new RateLimit(5, 0.001, Clock.system()));
        for (int i = 0; i < 5; i++) {
            assertThat(get("/").statusCode()).isEqualTo(200);
        }
        assertThat(get("/").statusCode()).isEqualTo(429);
    }

    @Test
    void oddNumbersInAddressesAreHarmless() throws Exception {
        String id = awaitRuns(1).path(0).path("id").asText();
        for (String query : List.of(
                "from=NaN&to=Infinity&columns=-1",
                "columns=1e300",
                "from=1e300&to=-1e300",
                "columns=x&from=y",
                "from=-9e18&to=9e18&columns=100000")) {
            assertThat(json("/api/runs/" + id + "?" + query).path("step").asInt())
                    .as(query)
                    .isEqualTo(100);
        }
        assertThat(get("/api/runs/" + id + "/checkpoints?skip=-1&count=1e99").statusCode())
                .isEqualTo(200);
        assertThat(get("/api/runs/" + id + "/checkpoints/NaN").statusCode()).isEqualTo(404);
    }

    @Test
    void everyAnswerForbidsWhatPagesDoNotNeed() throws Exception {
        for (String path : List.of("/", "/pages/look.css", "/api/runs", "/nothing")) {
            HttpResponse<String> answer = get(path);
            assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
                    .as(path)
                    .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                    .doesNotContain("unsafe");
            assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
            assertThat(answer.headers().firstValue("Server")).isEmpty();
        }
    }

    @Test
    void onAnotherAddressOnlyTheTokenOpens() throws Exception {
        try (DashboardServer open = started("0.0.0.0")) {
            URI address = URI.create(open.address().replace("0.0.0.0", "127.0.0.1"));
            var client = HttpClient.newHttpClient();
            URI runs = address.resolve("/api/runs");
            assertThat(client.send(HttpRequest.newBuilder(runs).build(), BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(401);
            assertThat(client.send(
                                    HttpRequest.newBuilder(address.resolve("/?token=wrong"))
                                            .build(),
                                    BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(401);
            HttpResponse<String> entered =
                    client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
            assertThat(entered.statusCode()).isEqualTo(303);
            assertThat(entered.headers().firstValue("Location")).contains("/");
            String cookie = entered.headers().firstValue("Set-Cookie").orElseThrow();
            assertThat(cookie).contains("HttpOnly", "SameSite");
            assertThat(client.send(
                                    HttpRequest.newBuilder(runs)
                                            .header("Cookie", cookie.substring(0, cookie.indexOf(';')))
                                            .build(),
                                    BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    /// Finished runs are listed at once, and read a moment later.
    private JsonNode awaitRuns(int count) {
        var found = new ArrayList<JsonNode>();
        Eventually.holds(count + " runs are read", () -> {
            JsonNode runs = json("/api/runs").path("runs");
            found.clear();
            found.add(runs);
            boolean all = runs.size() == count;
            for (JsonNode each : runs) {
                all &= each.path("read").asBoolean();
            }
            return all;
        });
        return found.getFirst();
    }

    private JsonNode json(String path) throws Exception {
        HttpResponse<String> answer = get(path);
        assertThat(answer.statusCode()).as("%s: %s", path, answer.body()).isEqualTo(200);
        return new ObjectMapper().readTree(answer.body());
    }

    private HttpResponse<String> get(String path) throws Exception {
        URI address = URI.create("http://127.0.0.1:" + server.port() + path);
        try (var client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
        }
    }

    private Socket connect() throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout((int) PATIENCE.toMillis());
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(UTF_8));
        socket.getOutputStream().flush();
    }

    private String raw(String request) throws IOException {
        try (Socket socket = connect()) {
            send(socket, request);
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    private static long nextNumber(BufferedReader lines) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("data: ")) {
                return Long.parseLong(line.substring("data: ".length()));
            }
        }
        throw new AssertionError("the server ended the stream");
    }
}
