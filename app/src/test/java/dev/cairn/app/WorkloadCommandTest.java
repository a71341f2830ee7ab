package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
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
            assertThat(finding.path("state").asText()).isIn("good", "note", "missing");
            assertThat(finding.path("text").asText()).isNotBlank();
        }
        assertThat(Cli.run("doctor", "--run", folder.toString()).out().lines())
                .allMatch(line -> line.matches("(good|note|missing) +.*| {20,}\\S.*"));
        assertThat(found).contains("Java", "space for runs", "engine torch", "engine tensorflow", "data mnist");
        assertThat(Cli.run("doctor", "--run", "/proc/nowhere").code()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            lenet --data mnist --data-dir DIR/data   | 1 | malformed: DIR/data/mnist/train-images-idx3-ubyte: magic
            lenet --data fashion-mnist --data-dir DIR/data | 1 | train-images-idx3-ubyte is a folder, not a file
            lenet --data mnist --data-dir DIR/absent | 2 | --data-dir DIR/absent: no such folder; create it first
            lenet --data-dir DIR/data/file           | 2 | --data-dir DIR/data/file: not a folder
            lr --batch 0                             | 2 | cairn: --batch must be from 1 to 4096, not 0
            lr --eval-every 0                        | 2 | cairn: --eval-every must be at least 1, not 0
            lr --weight-decay -1                     | 2 | cairn: --weight-decay must be 0 or more and finite, not -1.0
            lr --rank 3                              | 2 | cairn: --rank applies to mf, not to lr
            mf --data digits                         | 2 | cairn: --data 'digits' has no ratings, which mf needs
            lenet --data minst                       | 2 | unknown data set 'minst'
            """)
    void badDataIsOneLineAndLeavesNothing(String options, int code, String message) throws IOException {
        Path data = folder.resolve("data");
        Files.createDirectories(data.resolve("mnist"));
        Files.writeString(data.resolve("file"), "");
        for (String file : List.of("train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1")) {
            Files.writeString(data.resolve("mnist/" + file + "-ubyte"), "something else");
            Files.createDirectories(data.resolve("fashion-mnist/" + file + "-ubyte"));
        }
        Path empty = Files.createDirectory(folder.resolve("empty"));
        for (Path run : List.of(folder.resolve("new/run"), empty)) {
            String command = "train " + options.replace("DIR", folder.toString()) + " --run " + run;
            Cli refused = Cli.run(command.split(" "));
            assertThat(refused.err().lines()).singleElement().asString().contains(message.replace("DIR", "" + folder));
            assertThat(refused.code()).isEqualTo(code);
        }
        assertThat(folder.resolve("new")).doesNotExist();
        assertThat(empty).isEmptyDirectory();
    }

    @Test
    void helpTellsWhatNoClippingIs() {
        assertThat(Cli.run("train", "--help").out()).containsPattern("--clip=X\\s+Maximum [^-]*; 0: no\\s+maximum");
        Cli refused = train("lr", "--clip", "-1");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("--clip must be 0 or more");
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
