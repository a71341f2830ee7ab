package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.text.Json;
import dev.cairn.testkit.ChildProcess;
import dev.cairn.testkit.Command;
import dev.cairn.testkit.Eventually;
import dev.cairn.testkit.Network;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Trainings on several hosts, which are network namespaces of this machine.
class HostsTest {
    private static final String HOSTS =
            "network namespaces cannot be made here: that needs root on Linux, ip and nsenter";

    /// More than a test takes; the first host is told to stop.
    private static final String ENDLESS = "10000000";

    @TempDir
    Path folder;

    /// Host 2 is cut off: the others go on with the spare process, and what is left there ends by itself. When it is
    /// back, its processes take part again. The result is that of three workers on one host to which nothing
    /// happened.
    @Test
    void aHostThatIsCutOffIsReplacedEndsByItselfAndMayComeBack() throws Exception {
        assumeTrue(Network.isPossible(), HOSTS);
        ObjectNode cut;
        try (var network = Network.of(3)) {
            var job = new HostedJob(network, 3, folder.resolve("cut"));
            List<String> options = options(ENDLESS, "--spares", "1", "--silence", "2s");
            try (ChildProcess first = job.start(0, "lr", options);
                    ChildProcess second = job.start(1, "lr", options);
                    ChildProcess third = job.start(2, "lr", options)) {
                first.awaitLine("step 40");
                network.cut(2);
                Eventually.holds(
                        "the spare process takes the place",
                        () -> first.err().contains("3 workers train together again") || !first.isAlive());
                assertThat(first.err()).contains("(host 2) gave no sign of life for 2 s", "no step is lost");
                assertThat(third.end()).as(third.err()).isEqualTo(75);
                assertThat(third.err())
                        .contains("gave no sign of life; the processes here end", "this host was cut off");
                network.mend(2);
                try (ChildProcess back = job.start(2, "lr", options)) {
                    Eventually.holds(
                            "the host is there again",
                            () -> first.err().split("\\(host 2\\) has joined", -1).length > 2 || !first.isAlive());
                    Eventually.holds(
                            "its process is ready",
                            () -> Cli.run("ps", job.run().toString())
                                    .out()
                                    .matches("(?s).*s\\d+ +\\S+ \\(host 2\\).*"));
                    second.signal("TERM");
                    assertThat(first.end()).as(first.err()).isEqualTo(75);
                    assertThat(back.end()).as(back.err()).isEqualTo(75);
                }
                assertThat(second.end()).as(second.err()).isEqualTo(75);
                assertThat(second.out())
                        .as("only the first host prints the result")
                        .isEmpty();
                cut = Json.parse(first.out().lines().toList().getLast());
            }
        }
        long steps = cut.path("step").asLong();
        assertThat(cut.path("failures")).hasSize(1);
        assertThat(cut.path("failures").path(0).path("stepsLost").asLong(-1)).isZero();
        assertThat(cut.path("failures").path(0).path("cause").asText()).isEqualTo("silent");
        assertThat(cut.path("failures").path(0).path("detectedSeconds").asDouble())
                .isBetween(1.0, 60.0);
        var whole = new ArrayList<>(
                List.of("train", "lr", "--run", folder.resolve("whole").toString()));
        whole.addAll(options(Long.toString(steps), "--workers", "3", "--spares", "0"));
        try (ChildProcess undisturbed = Command.java(
                        List.of("--enable-native-access=ALL-UNNAMED"), Main.class, whole.toArray(String[]::new))
                .start()) {
            assertThat(undisturbed.end()).as(undisturbed.err()).isZero();
            ObjectNode told = Json.parse(undisturbed.out().lines().toList().getLast());
            assertThat(cut.path("weightsSha256")).isEqualTo(told.path("weightsSha256"));
        }
    }

    private static List<String> options(String steps, String... more) {
        var options = new ArrayList<>(List.of("--steps", steps, "--threads", "1", "--every", "50"));
        options.addAll(List.of("--trace-steps", "--json"));
        options.addAll(List.of(more));
        return options;
    }

    @Test
    void namedDeploymentsSayWhereEachTaskIs() throws IOException {
        assertThat(train("--deploy", "cluster2", "--show-tf-config", "--task", "2")
                        .out())
                .isEqualTo(
                        "{\"cluster\":{\"worker\":[\"localhost:2222\",\"localhost:2223\",\"localhost:2224\"]},\"task\":{\"type\":\"worker\",\"index\":2}}\n");
        assertThat(train("--deploy", "single", "--mode", "ps-sync", "--show-tf-config")
                        .out())
                .contains("\"ps\":[\"localhost:2221\"]");
        assertThat(deployed("--show-tf-config", "--task", "1").out()).contains("10.0.0.2:29500", "\"index\":1");

        assertThat(deployed().err()).contains("--deploy lab has 2 hosts; also give --task, from 0 to 1");
        assertThat(deployed("--task", "2").err()).contains("has no task 2; it has 2, from 0");
        assertThat(train("--deploy", "lap", "--deployments", file().toString()).err())
                .contains("there is no deployment 'lap'; known: cluster, cluster2, lab, single");
        assertThat(train("--task", "1").err()).contains("--task needs a named set; also give --deploy");
    }

    @Test
    void aJobOfSeveralHostsNeedsASecretThatOthersCannotRead() throws IOException {
        Cli without = deployed("--task", "1");
        assertThat(without.code()).isEqualTo(2);
        assertThat(without.err()).contains("needs a secret that all of them have", "--secret-file FILE");

        Path secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef\n");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r-----"));
        assertThat(deployed("--task", "1", "--secret-file", secret.toString()).err())
                .contains("others can read the secret", "mode 0600");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(secret, "short");
        assertThat(deployed("--task", "1", "--secret-file", secret.toString()).err())
                .contains("could be guessed: it has fewer than 16 letters");
        Files.writeString(secret, "0123456789abcdef\n");
        Cli alone = deployed("--task", "1", "--secret-file", secret.toString(), "--host-wait", "1s");
        assertThat(alone.code()).isEqualTo(1);
        assertThat(alone.err()).contains("nobody listens at 127.0.0.1:1", "start the same command there too");
        assertThat(deployed("--task", "0", "--mode", "ps-sync").err()).contains("works on one host only so far");
    }

    private Cli deployed(String... more) throws IOException {
        var words = new ArrayList<>(List.of("--deploy", "lab", "--deployments", file().toString()));
        words.addAll(List.of(more));
        return train(words.toArray(String[]::new));
    }

    private Path file() throws IOException {
        return Files.writeString(
                folder.resolve("sets.json"), "{\"lab\": {\"worker\": [\"127.0.0.1:1\", \"10.0.0.2:29500\"]}}");
    }

    private Cli train(String... more) {
        var words = new ArrayList<>(
                List.of("train", "lr", "--run", folder.resolve("run").toString()));
        words.addAll(List.of(more));
        return Cli.run(words.toArray(String[]::new));
    }
}
