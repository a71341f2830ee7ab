package dev.cairn.app.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.app.Cli;
import dev.cairn.app.SmallRun;
import dev.cairn.app.text.Json;
import dev.cairn.testkit.Eventually;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DashboardCommandTest {
    @TempDir
    Path folder;

    @Test
    void servesUntilItIsStoppedAndChangesNothing() throws Exception {
        SmallRun run = SmallRun.train(folder.resolve("runs/first"), "lossless", 3, 1, "latest:2");
        List<String> before = files(run.folder());
        var out = new StringWriter();
        var code = new AtomicInteger(-1);
        Thread serving = Thread.ofPlatform()
                .start(() -> code.set(
                        Cli.run(out, "dashboard", folder.resolve("runs").toString(), "--port", "0", "--json")
                                .code()));
        URI address = Eventually.get(
                "the address is printed",
                () -> out.toString().contains("}")
                        ? Optional.of(URI.create(
                                Json.parse(out.toString()).path("address").asText()))
                        : Optional.empty());
        try (var client = HttpClient.newHttpClient()) {
            String listed = client.send(
                            HttpRequest.newBuilder(address.resolve("/api/runs")).build(), BodyHandlers.ofString())
                    .body();
            assertThat(listed).contains("\"name\":\"first\"");
            String id = Json.parse(listed).path("runs").path(0).path("id").asText();
            URI table = address.resolve("/api/runs/" + id + "/checkpoints");
            String rows = client.send(HttpRequest.newBuilder(table).build(), BodyHandlers.ofString())
                    .body();
            assertThat(Json.parse(rows).path("rows").path(0).path("step").asInt())
                    .isEqualTo(30);
            String one = client.send(
                            HttpRequest.newBuilder(URI.create(table + "/"
                                            + Json.parse(rows)
                                                    .path("rows")
                                                    .path(0)
                                                    .path("number")
                                                    .asText()))
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
            assertThat(Json.parse(one).path("tensors")).hasSize(3);
            assertThat(Json.parse(one).path("restore").path("chain")).isNotEmpty();
        }
        serving.interrupt();
        serving.join();
        assertThat(code).hasValue(0);
        assertThat(files(run.folder())).as("it only reads").isEqualTo(before);
    }

    @Test
    void aUsedPortAndAMissingPlaceAreErrorsOfOneLine() throws Exception {
        try (var taken = new ServerSocket(0)) {
            Cli said = Cli.run(
                    "dashboard",
                    folder.toString(),
                    "--host",
                    "0.0.0.0",
                    "--port",
                    Integer.toString(taken.getLocalPort()));
            assertThat(said.code()).isEqualTo(1);
            assertThat(said.errorLines()).singleElement().asString().contains("--port 0");
        }
        assertThat(Cli.run("dashboard", folder.resolve("none").toString()).code())
                .isEqualTo(2);
        assertThat(Cli.run("dashboard", folder.toString(), "--port", "65536").code())
                .isEqualTo(2);
    }

    private static List<String> files(Path run) throws Exception {
        try (var files = Files.walk(run)) {
            return files.map(file -> file + " " + file.toFile().lastModified())
                    .sorted()
                    .toList();
        }
    }
}
