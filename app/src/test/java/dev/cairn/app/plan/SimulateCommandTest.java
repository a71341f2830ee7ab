package dev.cairn.app.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.Cli;
import dev.cairn.app.text.Json;
import dev.cairn.plan.simulation.Simulation;
import dev.cairn.plan.simulation.Simulation.Result;
import dev.cairn.plan.simulation.Simulation.Setting;
import dev.cairn.plan.time.FailureLaw;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulateCommandTest {
    @TempDir
    Path folder;

    private static Cli simulate(String options) {
        return Cli.run(("simulate " + options).split(" ", -1));
    }

    /// The results by name.
    private static JsonNode policies(String options) {
        ObjectNode byName = Json.object();
        JsonNode list = simulate(options + " --json").json().path("policies");
        list.forEach(node -> byName.set(node.path("name").asText(), node));
        return byName;
    }

    @Test
    void tenThousandNodesTakeSecondsAndAutoIsAsGoodAsWhoKnows() {
        ThreadMXBean thread = ManagementFactory.getThreadMXBean(); // the clock would count what others do
        long start = thread.getCurrentThreadCpuTime();
        JsonNode found = policies("--nodes 10000 --work 30d --seed 4 --runs 10");
        assertThat((thread.getCurrentThreadCpuTime() - start) / 1e9).isLessThan(10);
        double daly = found.path("daly").path("goodput").asDouble();
        double auto = found.path("auto").path("goodput").asDouble();
        assertThat(found.fieldNames()).toIterable().containsExactly("none", "fixed", "young", "daly", "auto");
        assertThat(found.path("none").path("goodput").asDouble())
                .as("never gets anywhere")
                .isLessThan(0.01);
        assertThat(auto)
                .isGreaterThan(0.98 * daly)
                .isGreaterThan(found.path("fixed").path("goodput").asDouble());
        for (JsonNode each : found) {
            assertThat(each.path("low").asDouble())
                    .isLessThanOrEqualTo(each.path("goodput").asDouble());
            assertThat(each.path("high").asDouble())
                    .isGreaterThanOrEqualTo(each.path("goodput").asDouble());
            assertThat(each.path("elapsedSeconds").asDouble()).isLessThanOrEqualTo(3 * 30 * 86_400.0);
        }
    }

    @Test
    void theSameSeedGivesTheSameFiguresAndAnotherDoesNot() {
        String options = "--nodes 500 --work 5d --node-mtbf 100d --runs 5 --policies auto --json --seed ";
        assertThat(simulate(options + 7).out()).isEqualTo(simulate(options + 7).out());
        assertThat(simulate(options + 7).out())
                .isNotEqualTo(simulate(options + 8).out());
    }

    /// Where few failures take disks, saves on the nodes' own disks are over sooner and lose less.
    @Test
    void twoTiersLoseLessWhereStorageIsSlow() {
        String options = "--nodes 1000 --work 20d --node-mtbf 200d --bandwidth 2GB --state 8GB --codec full "
                + "--node-lost 0.1 --correlated 0 --policies auto --runs 10 --tiers ";
        double shared =
                policies(options + "shared").path("auto").path("goodput").asDouble();
        double local = policies(options + "local").path("auto").path("goodput").asDouble();
        assertThat(local).isGreaterThan(shared + 0.02);
    }

    @Test
    void smallerSavesHelpWhereStorageIsSlow() {
        String options = "--nodes 1000 --work 20d --node-mtbf 200d --bandwidth 2GB --policies auto --runs 10 --codec ";
        double full = policies(options + "full").path("auto").path("goodput").asDouble();
        double lc = policies(options + "lc").path("auto").path("goodput").asDouble();
        assertThat(lc).isGreaterThan(full + 0.05);
    }

    @Test
    void failuresMayBeReadFromAFile() throws IOException {
        Path file = Files.writeString(folder.resolve("failures"), "5000\n12000\n40000\n");
        JsonNode found = policies("--work 1d --runs 2 --failure-times " + file);
        JsonNode fixed = found.path("fixed");
        assertThat(fixed.path("failures").asDouble()).isBetween(6.0, 8.0);
        assertThat(fixed.path("low").asDouble())
                .as("nothing is left to chance")
                .isEqualTo(fixed.path("high").asDouble());
        assertThat(simulate("--weibull 0.7 --nodes 200 --work 10d --runs 3").code())
                .isZero();
    }

    @Test
    void theTableFitsTheTerminal() {
        var law = new FailureLaw.Exponential(1e7);
        var setting = new Setting(1000, 2.5e6, law, List.of(), 0.5, 0.05, 16, 10, 180, 60, 2, 5e9, 2e11, 0);
        List<Result> results = Simulation.policies().stream()
                .map(policy -> Simulation.run(setting, policy, 3600, 2, 1))
                .toList();
        for (int columns : new int[] {40, 50, 80}) {
            var out = new StringWriter();
            new SimulationReport(setting, 2, 1, results).print(new PrintWriter(out, true), columns);
            assertThat(out.toString().lines())
                    .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(columns));
            assertThat(out.toString().lines().filter(line -> line.contains("goodput")))
                    .hasSize(1);
        }
        assertThat(simulate("--nodes 10 --work 1d --runs 2").out()).contains("95 % confidence", "written");
    }

    @Test
    void anUnknownPolicyIsToldWithThoseThereAre() {
        Cli result = simulate("--policies young,foo");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err())
                .startsWith("cairn: unknown policy 'foo'; known: none, fixed, young, daly, auto; see 'cairn simulate")
                .hasLineCount(1);
        assertThat(simulate("--policies dayl").err()).contains("did you mean 'daly'?");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--nodes 0",
                "--work 0s",
                "--work -1d",
                "--runs 1",
                "--policies best",
                "--codec zip",
                "--tiers three",
                "--node-lost 2",
                "--correlated -1",
                "--group 0",
                "--weibull 0",
                "--every 0s",
                "--step 0s",
                "--bandwidth 0",
                "--failure-times absent",
            })
    void whatCannotBeIsOneLineAndExitCodeTwo(String options) {
        Cli result = simulate(options);
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err().lines()).singleElement().asString().startsWith("cairn: ");
    }
}
