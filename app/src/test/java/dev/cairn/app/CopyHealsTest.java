package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.s3.Clients;
import dev.cairn.s3.server.AtomicS3;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A file that is damaged beyond what its parity heals is read from the copy of the run, wherever the two are.
class CopyHealsTest {
    private static final int REGION = 4096;
    private static final String BUCKET = "bucket";

    @TempDir
    Path folder;

    private AtomicS3 server;

    @BeforeEach
    void start() throws IOException {
        server = new AtomicS3(BUCKET);
        Clients.useMadeUpCredentials();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String place(String name, boolean remote) {
        return remote ? "s3://" + BUCKET + "/" + name : folder.resolve(name).toString();
    }

    private Cli cairn(String... words) {
        var all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--endpoint", server.endpoint().toString(), "--path-style"));
        return Cli.run(all.toArray(String[]::new));
    }

    private Cli train(int steps, String... more) {
        var words = new ArrayList<>(List.of("train", "lr", "--steps", "" + steps, "--every", "2", "--batch", "8"));
        words.addAll(List.of("--threads", "1", "--json"));
        words.addAll(List.of(more));
        return cairn(words.toArray(String[]::new));
    }

    /// Damages two places of the oldest segment, which every checkpoint needs. They share their parity.
    ///
    /// @return the name of the file
    private String damage(String run) throws IOException {
        if (run.startsWith("s3://")) {
            String prefix = run.substring(("s3://" + BUCKET + "/").length()) + "/";
            String key = server.keys(BUCKET).stream()
                    .filter(each -> each.startsWith(prefix + "segments/"))
                    .sorted()
                    .toList()
                    .getFirst();
            server.put(BUCKET, key, damaged(server.content(BUCKET, key)));
            return key.substring(prefix.length());
        }
        try (Stream<Path> files = Files.list(Path.of(run).resolve("segments"))) {
            Path file = files.sorted().toList().getFirst();
            Files.write(file, damaged(Files.readAllBytes(file)));
            return "segments/" + file.getFileName();
        }
    }

    private static byte[] damaged(byte[] good) {
        byte[] bad = good.clone();
        byte[] noise = new byte[REGION];
        var random = new Random(9);
        for (int at : new int[] {good.length / 8, good.length / 2}) {
            random.nextBytes(noise);
            System.arraycopy(noise, 0, bad, at, REGION);
        }
        return bad;
    }

    private static void assertHealed(Cli cli, String file) {
        assertThat(cli.code()).as(cli.err()).isZero();
        assertThat(cli.errorLines())
                .filteredOn(
                        line -> line.matches("cairn: healed: " + file + " from its parity and \\d+ bytes of the copy"))
                .as(cli.err())
                .hasSize(1);
        assertThat(cli.err()).doesNotContain("skipped");
    }

    @ParameterizedTest
    @CsvSource({"false,false", "false,true", "true,false"})
    void aTrainingGoesOnFromTheNewestCheckpoint(boolean remoteRun, boolean remoteCopy) throws IOException {
        String run = place("run", remoteRun);
        String copy = place("copy", remoteCopy);
        assertThat(train(4, "--run", run, "--copy-to", copy).code()).isZero();
        String file = damage(run);
        assertThat(train(6, "--run", run).code()).as("without the copy").isEqualTo(3);
        Cli on = train(6, "--run", run, "--copy-to", copy);
        assertHealed(on, file);
        assertThat(on.json().path("resumedFromStep").asLong()).isEqualTo(4);
        assertThat(on.weights())
                .isEqualTo(train(6, "--run", place("alone", false)).weights());
    }

    @Test
    void commandsReadFromTheCopyAndRepairRewritesTheFile() throws IOException {
        String run = place("run", false);
        String copy = place("copy", false);
        Path good = folder.resolve("good.npz");
        Path healed = folder.resolve("healed.npz");
        assertThat(train(4, "--run", run, "--copy-to", copy).code()).isZero();
        assertThat(cairn("export", run, good.toString(), "--all").code()).isZero();
        JsonNode loss = cairn("eval", run, "--json").json().path("testLoss");
        String file = damage(run);

        assertThat(cairn("export", run, healed.toString(), "--all").code()).isEqualTo(3);
        assertHealed(cairn("export", run, healed.toString(), "--all", "--copy", copy), file);
        assertThat(Files.mismatch(good, healed)).isEqualTo(-1);
        Cli scored = cairn("eval", run, "--copy", copy, "--json");
        assertHealed(scored, file);
        assertThat(scored.json().path("testLoss")).isEqualTo(loss);

        assertThat(damage(cairn("verify", run, "--json")).path("healable").asBoolean())
                .isFalse();
        JsonNode found = damage(cairn("verify", run, "--copy", copy, "--json"));
        assertThat(found.path("healable").asBoolean()).isTrue();
        assertThat(found.path("reason").asText()).contains("bytes of the copy");
        assertThat(cairn("verify", run, "--copy", copy).out()).contains("'cairn repair --copy' rewrites it");

        assertThat(cairn("repair", run, "--copy", copy).code()).isZero();
        assertThat(cairn("verify", run).code()).isZero();
        assertThat(train(4, "--run", run).json().path("resumedFromStep").asLong())
                .isEqualTo(4);
    }

    @Test
    void repairTakesCheckpointsFromTheCopyWhoseFilesAreMissing() throws IOException {
        String run = place("run", false);
        String copy = place("copy", false);
        assertThat(train(4, "--run", run, "--copy-to", copy).code()).isZero();
        Files.delete(Path.of(run, damage(run)));
        Cli plan = cairn("repair", run, "--copy", copy, "--dry-run", "--json");
        assertThat(plan.code()).isEqualTo(3);
        assertThat(plan.json().path("fetched")).hasSize(1);
        Cli repaired = cairn("repair", run, "--copy", copy);
        assertThat(repaired.code()).as(repaired.out()).isZero();
        assertThat(repaired.out()).contains("step 2 was taken whole from the copy", "nothing else is damaged");
        assertThat(cairn("verify", run).code()).isZero();
        assertThat(train(4, "--run", run).json().path("resumedFromStep").asLong())
                .isEqualTo(4);
    }

    /// A record that later checkpoints need, and the newest one.
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void repairTakesCheckpointsFromTheCopyWhoseRecordsAreLost(int number) throws IOException {
        String run = place("run", false);
        String copy = place("copy", false);
        Path good = folder.resolve("good.npz");
        Path back = folder.resolve("back.npz");
        assertThat(train(6, "--run", run, "--copy-to", copy).code()).isZero();
        assertThat(cairn("export", run, good.toString(), "--all").code()).isZero();
        for (String place : List.of("rec", "twin")) {
            Files.write(Path.of(run, "log/000000000%d.%s".formatted(number, place)), new byte[50]);
        }
        assertThat(damage(cairn("verify", run, "--copy", copy, "--json"))
                        .path("file")
                        .asText())
                .isEqualTo("log/000000000%d.rec".formatted(number));
        if (number == 1) {
            for (String[] words : List.of(
                    new String[] {"export", run, back.toString(), "--all", "--copy", copy},
                    new String[] {"eval", run, "--copy", copy})) {
                Cli refused = cairn(words);
                assertThat(refused.code()).isEqualTo(3);
                assertThat(refused.errorLines().getLast()).contains("chain broken", "'cairn repair --copy PLACE'");
            }
        }
        Cli repaired = cairn("repair", run, "--copy", copy);
        assertThat(repaired.code()).as(repaired.out()).isZero();
        assertThat(repaired.out())
                .contains("step %d was taken whole from the copy".formatted(2 * number), "no checkpoint is lost")
                .doesNotContain("lost:");
        assertThat(cairn("verify", run).code()).isZero();
        assertThat(cairn("ls", run, "--json").json().path("checkpoints"))
                .extracting(each -> each.path("step").asLong())
                .containsExactly(2L, 4L, 6L);
        assertThat(cairn("export", run, back.toString(), "--all").code()).isZero();
        assertThat(Files.mismatch(good, back)).isEqualTo(-1);
        assertThat(train(6, "--run", run).json().path("resumedFromStep").asLong())
                .isEqualTo(6);
    }

    private static JsonNode damage(Cli verified) {
        assertThat(verified.code()).isEqualTo(3);
        JsonNode damaged = verified.json().path("damaged");
        assertThat(damaged).hasSize(1);
        return damaged.path(0);
    }

    @Test
    void aPlaceThatIsNotACopyIsRefused() {
        String run = place("run", false);
        assertThat(train(2, "--run", run).code()).isZero();
        Cli itself = Cli.run("verify", run, "--copy", run);
        assertThat(itself.code()).isEqualTo(2);
        assertThat(itself.err()).contains("is the run itself; give the place of its copy");
        Cli nowhere = Cli.run("repair", run, "--copy", place("nowhere", false));
        assertThat(nowhere.code()).isEqualTo(2);
        assertThat(nowhere.err()).contains("no run at");
    }
}
