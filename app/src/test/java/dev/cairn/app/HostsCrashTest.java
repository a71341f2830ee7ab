package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.text.Json;
import dev.cairn.testkit.ChildProcess;
import dev.cairn.testkit.Command;
import dev.cairn.testkit.Eventually;
import dev.cairn.testkit.Network;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What happens to trainings on three hosts when the network or a host fails in other ways than in [HostsTest]. About
/// three minutes on two cores.
@Tag("crash")
class HostsCrashTest {
    private static final long ENDLESS = 10_000_000;
    private static final int LENET_WEIGHTS = 61_706;

    @TempDir
    Path folder;

    @BeforeEach
    void needNetworks() {
        assumeTrue(
                Network.isPossible(),
                "network namespaces cannot be made here: that needs root on Linux, ip and nsenter");
    }

    /// A ring of three sends two thirds of the gradients, and then two thirds of the sums. All that a host sends
    /// counts: headers, acknowledgements, signs of life, what is said.
    @Test
    void aStepOfLenetSendsLittleMoreThanTheRingNeeds() throws Exception {
        try (var network = Network.of(3)) {
            for (int host = 0; host < 3; host++) {
                network.limit(host, 100);
            }
            var job = new HostedJob(network, 3, folder.resolve("ring"));
            List<String> options = options(ENDLESS, "--spares", "0", "--every", "100000", "--eval-every", "100000");
            try (ChildProcess first = job.start(0, "lenet", options);
                    ChildProcess second = job.start(1, "lenet", options);
                    ChildProcess third = job.start(2, "lenet", options)) {
                first.awaitLine("step 50");
                // The line was written a moment ago: a few steps more or less are a thousandth.
                long before = network.sentBytes(1);
                long from = lastStep(first);
                first.awaitLine("step " + (from + 1000));
                long to = lastStep(first);
                long sent = network.sentBytes(1) - before;
                double ring = 2.0 * 2 / 3 * LENET_WEIGHTS * Float.BYTES;
                double each = (double) sent / (to - from);
                System.out.printf("bytes a step: %.0f, of a ring: %.0f, ratio %.3f%n", each, ring, each / ring);
                assertThat(each / ring).isBetween(0.9, 1.1);
                end(first, second, third);
            }
        }
    }

    /// Both halves live on. The one without the supervisor ends by itself, though it still reaches the storage, and
    /// the other one goes on, with another leader. Nothing of the lost half is in the run.
    @Test
    void aLeaderThatIsCutOffFromTheOthersCannotSaveAnyMore() throws Exception {
        try (var network = Network.of(3)) {
            var job = new HostedJob(network, 3, folder.resolve("halves"));
            List<String> options = options(ENDLESS, "--spares", "0", "--silence", "2s", "--every", "20");
            try (ChildProcess first = job.start(0, "lr", options);
                    ChildProcess second = job.start(1, "lr", options);
                    ChildProcess third = job.start(2, "lr", options)) {
                first.awaitLine("step 40");
                kill(worker(job.run(), "w0").path("pid").asLong()); // that of the first host: another one leads
                Eventually.holds(
                        "the second host leads",
                        () -> worker(job.run(), "w0").path("host").asText().contains("(host 1)"));
                network.cut(1);
                Eventually.holds(
                        "the others go on", () -> first.err().contains("(host 1) gave no sign of life for 2 s"));
                Eventually.holds(
                        "another one leads",
                        () -> !worker(job.run(), "w0").path("host").asText().contains("(host 1)"));
                assertThat(second.end()).as(second.err()).isEqualTo(75);
                long reached = lastStep(first);
                first.awaitLine("step " + (reached + 60)); // at least one save of the new leader
                end(first, third);
            }
            assertThat(Cli.run("verify", job.run().toString()).code()).isZero();
            JsonNode kept = Cli.run("ls", job.run().toString(), "--json").json().path("checkpoints");
            long step = -1;
            for (JsonNode each : kept) {
                assertThat(each.path("step").asLong()).isGreaterThan(step);
                step = each.path("step").asLong();
            }
        }
    }

    /// Whoever is stopped cannot say so: the others notice it within the time that was given, on both sides.
    @Test
    void aStoppedFirstHostEndsTheOthersAndTheSameCommandGoesOn() throws Exception {
        try (var network = Network.of(2)) {
            var job = new HostedJob(network, 2, folder.resolve("stopped"));
            List<String> options = options(ENDLESS, "--spares", "0", "--silence", "2s", "--every", "20");
            long reached;
            try (ChildProcess first = job.start(0, "lr", options);
                    ChildProcess second = job.start(1, "lr", options)) {
                first.awaitLine("step 60");
                first.signal("STOP");
                assertThat(second.end()).as(second.err()).isEqualTo(75);
                assertThat(second.err()).contains("gave no sign of life");
                reached = lastStep(first);
                first.kill();
            }
            try (ChildProcess first = job.start(0, "lr", options(reached + 100, "--spares", "0"));
                    ChildProcess second = job.start(1, "lr", options(reached + 100, "--spares", "0"))) {
                assertThat(first.end()).as(first.err()).isZero();
                assertThat(second.end()).as(second.err()).isZero();
                ObjectNode told = Json.parse(first.out().lines().toList().getLast());
                assertThat(told.path("resumedFromStep").asLong()).isGreaterThanOrEqualTo(20);
            }
        }
    }

    private static void end(ChildProcess first, ChildProcess... others) throws IOException {
        first.signal("TERM");
        assertThat(first.end()).as(first.err()).isEqualTo(75);
        for (ChildProcess other : others) {
            assertThat(other.end()).as(other.err()).isEqualTo(75);
        }
    }

    private static JsonNode worker(Path run, String name) {
        return Eventually.get(name, () -> {
            Cli told = Cli.run("ps", run.toString(), "--json");
            if (told.code() == 0) {
                for (JsonNode process : told.json().path("processes")) {
                    if (process.path("name").asText().equals(name)
                            && process.path("state").asText().equals("training")) {
                        return Optional.of(process);
                    }
                }
            }
            return Optional.empty();
        });
    }

    private static void kill(long process) throws IOException {
        Command.of("kill", "-KILL", Long.toString(process)).succeed();
    }

    private static long lastStep(ChildProcess job) throws IOException {
        return job.out()
                .lines()
                .filter(line -> line.startsWith("step "))
                .mapToLong(line -> Long.parseLong(line.substring("step ".length())))
                .reduce((_, later) -> later)
                .orElse(0);
    }

    private static List<String> options(long steps, String... more) {
        var options = new ArrayList<>(List.of("--steps", Long.toString(steps), "--threads", "1", "--trace-steps"));
        options.add("--json");
        options.addAll(List.of(more));
        return options;
    }
}
