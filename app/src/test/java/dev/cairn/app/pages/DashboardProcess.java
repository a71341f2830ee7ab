package dev.cairn.app.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.app.text.Json;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// `cairn dashboard` in a process of its own, with the heap that `./cairn` gives it.
final class DashboardProcess implements AutoCloseable {
    private static final int TOO_MANY = 429;
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Process process;
    private final URI address;

    /// @param folder where the process keeps what it prints
    DashboardProcess(Path folder, String... places) throws IOException {
        Path out = folder.resolve("dashboard.out");
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> !flag.startsWith("-Xmx"))
                .forEach(command::add);
        command.addAll(List.of("-Xmx160m", "-XX:MinHeapFreeRatio=10", "-XX:MaxHeapFreeRatio=30"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.cairn.app.Main", "dashboard"));
        command.addAll(List.of(places));
        command.addAll(List.of("--port", "0", "--json"));
        this.process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(folder.resolve("dashboard.err").toFile())
                .start();
        this.address = Eventually.get("the address is printed", () -> {
            String said = Files.readString(out);
            return said.contains("}")
                    ? Optional.of(URI.create(Json.parse(said).path("address").asText()))
                    : Optional.empty();
        });
    }

    URI address() {
        return address;
    }

    /// The answer to a request. Asks again a moment later if too many others ask.
    String get(String path) {
        return Eventually.get(path, () -> {
            var connection = (HttpURLConnection) address.resolve(path).toURL().openConnection();
            if (connection.getResponseCode() == TOO_MANY) {
                Thread.sleep(PAUSE);
                return Optional.empty();
            }
            try (var in = connection.getInputStream()) {
                return Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        });
    }

    /// The processor time of all its threads so far.
    Duration cpu() {
        return process.info().totalCpuDuration().orElseThrow();
    }

    /// The largest resident memory that the process ever had, in bytes; empty if the system does not tell.
    Optional<Long> largestMemory() throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        if (!Files.isReadable(status)) {
            return Optional.empty();
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .map(line -> 1024 * Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst();
    }

    /// Takes the processor from it for good, as a swapping or overloaded machine does for a while.
    void freeze() throws Exception {
        assertThat(new ProcessBuilder("kill", "-STOP", Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
