package dev.cairn.app.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.app.Cli;
import dev.cairn.plan.time.Alternative;
import dev.cairn.plan.time.CompletionTime;
import dev.cairn.plan.time.FailureLaw;
import dev.cairn.plan.time.Job;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanCommandTest {
    @TempDir
    Path folder;

    private static Cli plan(String options) {
        return Cli.run(("plan " + options).split(" ", -1));
    }

    @Test
    void theWorkedCaseInMinutes() {
        JsonNode json = plan("--work 5h --every 1h --overhead 1m --latency 2m --restart 30s --fail-after 30m --json")
                .json();
        assertThat(json.path("expectedIntervalSeconds").asDouble()).isEqualTo(61 * 60);
        assertThat(json.path("noFailureSeconds").asDouble()).isEqualTo(304 * 60);
        assertThat(json.path("oneFailureSeconds").asDouble()).isEqualTo(335.5 * 60);
    }

    @Test
    void theWorstCaseAndItsBestCount() {
        JsonNode json = plan("--work 300m --failures 1 --overhead 1m --json").json();
        assertThat(json.path("bestCount").asLong()).isEqualTo(16);
        assertThat(json.path("worstCaseSeconds").asDouble() / 60).isEqualTo(333.647, within(0.0005));
        JsonNode seventeen =
                plan("--work 300m --failures 1 --overhead 1m --count 17 --json").json();
        assertThat(seventeen.path("worstCaseSeconds").asDouble() / 60).isEqualTo(333.667, within(0.0005));
    }

    @Test
    void theBestIntervalIsNoWorseThanAnyAlternative() {
        JsonNode json =
                plan("--work 30d --overhead 40s --latency 3m --node-mtbf 90d --nodes 128 --every 2h --weibull 0.8 --json")
                        .json();
        var names = json.path("alternatives").findValuesAsText("name");
        assertThat(names).containsExactly("optimum", "young", "daly-first", "daly", "availability", "budget", "yours");
        double best = json.path("alternatives").path(0).path("expectedSeconds").asDouble();
        for (JsonNode each : json.path("alternatives")) {
            assertThat(each.path("expectedSeconds").asDouble()).isGreaterThanOrEqualTo(best);
        }
        assertThat(json.path("expectedSeconds").asDouble())
                .as("of the interval that was asked for")
                .isEqualTo(json.path("alternatives")
                        .path(6)
                        .path("expectedSeconds")
                        .asDouble());
    }

    @Test
    void aDrawingGoesWhereALinkLeads() throws IOException {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        for (String name : List.of("there.svg", "not-yet.svg")) {
            Path target = elsewhere.resolve(name);
            if (name.equals("there.svg")) {
                Files.writeString(target, "old");
            }
            Path link = Files.createSymbolicLink(folder.resolve(name), target);
            assertThat(plan("--work 10h --overhead 10s --mtbf 1h --svg " + link).code())
                    .isZero();
            assertThat(link).isSymbolicLink();
            assertThat(target).content().startsWith("<svg");
        }
        assertThat(elsewhere).isDirectoryNotContaining("glob:**.made");
    }

    @Test
    void drawsInTheTerminalAndToAFile() throws IOException {
        Path file = folder.resolve("plan.svg");
        Cli result = plan("--work 10h --overhead 10s --mtbf 1h --svg " + file);
        assertThat(result.code()).isZero();
        assertThat(result.out()).contains("best: save every", "optimum", "┤").contains("*");
        assertThat(Files.readString(file))
                .startsWith("<svg")
                .contains("polyline", "optimum")
                .endsWith("</svg>\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--work 5h",
                "--overhead 1m",
                "--work 5 --overhead 1m",
                "--work 5y --overhead 1m",
                "--work -5h --overhead 1m",
                "--work 0s --overhead 1m",
                "--work 5h --overhead 2m --latency 1m",
                "--work 5h --overhead 1m --every 0s",
                "--work 5h --overhead 1m --every 1h --count 4",
                "--work 5h --overhead 1m --count -1",
                "--work 5h --overhead 1m --failures -1",
                "--work 5h --overhead 0s",
                "--work 5h --overhead 0s --mtbf 1h",
                "--work 5h --overhead 0s --latency 0s --mtbf 1h",
                "--work 5h --overhead 1m --mtbf 1h --node-mtbf 1h",
                "--work 5h --overhead 1m --node-mtbf 1h --nodes 0",
                "--work 5h --overhead 1m --weibull 0.7",
                "--work 5h --overhead 1m --mtbf 1h --weibull 99",
                "--work 5h --overhead 1m --mtbf 1h --budget 2",
                "--work 5h --overhead 1m --svg x.svg",
            })
    void whatCannotBeIsOneLineAndExitCodeTwo(String options) {
        Cli result = plan(options);
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err().lines()).singleElement().asString().startsWith("cairn: ");
        assertThat(List.of("NaN", "Infinity", "Exception")).noneMatch(result.err()::contains);
    }

    @ParameterizedTest
    @ValueSource(ints = {50, 80})
    void noLineIsWiderThanTheTerminal(int columns) {
        var job = new Job(2_592_000, 40, 190, 30, 0);
        var law = new FailureLaw.Exponential(60_750);
        List<Alternative> alternatives = Alternative.all(job, law, 0.035);
        CompletionTime best = CompletionTime.best(job, 1);
        for (FailureLaw known : Arrays.asList(law, null)) {
            var out = new StringWriter();
            new PlanReport(job, known, known == null ? List.of() : alternatives, best, best, 1, 300.0)
                    .print(new PrintWriter(out, true), columns);
            assertThat(out.toString().lines())
                    .hasSizeGreaterThan(4)
                    .allMatch(line -> line.length() <= columns)
                    .noneMatch(line -> line.matches("(s|min|h|d|%)\\b.*"));
        }
    }
}
