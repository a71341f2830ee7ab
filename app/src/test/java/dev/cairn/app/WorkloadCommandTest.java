package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Workloads, goals and divergence as users meet them.
class WorkloadCommandTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"torch, lr, accuracy", "tensorflow, lr, accuracy", "torch, mf, rmse", "tensorflow, mf, rmse"})
    void trainsOnBothEngines(String engine, String workload, String measure) {
        Cli done = train(workload, "--engine", engine, "--steps", "40", "--eval-every", "20", "--json");
        assertThat(done.code()).isZero();
        assertThat(done.json().path("end").asText()).isEqualTo("done");
        assertThat(done.json().path(measure).isNumber()).isTrue();
        Cli resumed = train(workload, "--steps", "60");
        assertThat(resumed.code()).isZero();
        assertThat(resumed.out()).contains("resumed from step 40").contains(measure + " ");
        Cli other = train(workload, "--engine", engine.equals("torch") ? "tensorflow" : "torch");
        assertThat(other.code()).isEqualTo(2);
        assertThat(other.err()).contains("this run has engine=" + engine);
    }

    @Test
    void endsAtAGoal() {
        Cli done = train("lr", "--until-accuracy", "0.8", "--eval-every", "10", "--steps", "2000");
        assertThat(done.code()).isZero();
        assertThat(done.out()).contains(", goal reached");
    }

    @Test
    void aTrainingThatGoesWrongNamesTheLastGoodCheckpointAndWaysOn() {
        List<String> wild =
                List.of("--optimizer", "sgd", "--rate", "1e6", "--schedule", "warmup:5000000+constant", "--every", "3");
        Cli stopped = train("lr", append(wild, "--steps", "60"));
        assertThat(stopped.code()).isEqualTo(1);
        assertThat(stopped.err())
                .containsPattern(
                        "cairn: stopped at step \\d+: the loss is .*; the last good checkpoint is of step \\d+: "
                                + "--on-divergence rollback:1 goes back to it, or fork it with --run NEW --from .*@\\d+; "
                                + "try a lower --rate, or --clip 1");
        Cli back = train("lr", append(wild, "--steps", "60", "--on-divergence", "rollback:1"));
        assertThat(back.code()).isZero();
        assertThat(back.err())
                .containsPattern("cairn: warning: step \\d+: the loss is .*; back to step \\d+ with a rate of");
        // It is not the way of a healthy run to go back in steps: what counts is that all of it verifies.
        assertThat(Cli.run("verify", folder.resolve("run").toString()).code()).isZero();
        assertThat(Cli.run("ls", folder.resolve("run").toString()).code()).isZero();
    }

    @Test
    void theDoctorLooksAtEnginesAndData() {
        Cli doctor = Cli.run("doctor", "--json", "--run", folder.toString());
        assertThat(doctor.code()).isZero();
        var found = new ArrayList<String>();
        for (JsonNode finding : doctor.json().path("findings")) {
            found.add(finding.path("what").asText());
            assertThat(finding.path("state").asText()).isIn("good", "worse", "missing");
            assertThat(finding.path("text").asText()).isNotBlank();
        }
        assertThat(found).contains("Java", "room for runs", "engine torch", "engine tensorflow", "data mnist");
        assertThat(Cli.run("doctor", "--run", "/proc/nowhere").code()).isEqualTo(1);
    }

    private static String[] append(List<String> first, String... then) {
        var all = new ArrayList<>(first);
        all.addAll(List.of(then));
        return all.toArray(String[]::new);
    }

    private Cli train(String workload, String... options) {
        return Cli.run(
                append(List.of("train", workload, "--run", folder.resolve("run").toString()), options));
    }
}
