package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.s3.Clients;
import dev.cairn.s3.server.AtomicS3;
import dev.cairn.testkit.DamagedRegion;
import dev.cairn.testkit.DamagedRegion.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whoever reads a run with a damaged file, in a folder or in object storage, gets the bits that were written, and is
/// told what was healed.
class HealedReadersTest {
    private static final String REMOTE = "s3://bucket/runs/first";

    @TempDir
    Path folder;

    @Test
    void exportsScoresAndForksReadTheBitsThatWereWritten() throws IOException {
        Path sound = train("sound");
        Path damaged = train("damaged");
        assertReadsTheBitsThatWereWritten(
                sound, damaged, "segments/" + firstSegment(damaged).getFileName());
    }

    @Test
    void exportsScoresAndForksReadARecordFromItsTwin() throws IOException {
        assertReadsTheBitsThatWereWritten(train("sound"), train("damaged"), "log/0000000001.rec");
    }

    @Test
    void exportsAndForksReadFlippedBitsAndLostEndsAsTheyWereWritten() throws IOException {
        Path run = train("run");
        Path good = folder.resolve("good.npz");
        Path healed = folder.resolve("healed.npz");
        assertThat(Cli.run("export", run.toString(), good.toString(), "--all").code())
                .isZero();
        String straight = fork(run, "straight").weights();
        String segment = "segments/" + firstSegment(run).getFileName();
        for (String file : List.of(segment, "log/0000000001.rec")) {
            for (Kind kind : List.of(Kind.BIT, Kind.TRUNCATION)) {
                try (var _ = small(run.resolve(file), kind).damage()) {
                    Cli export = Cli.run("export", run.toString(), healed.toString(), "--all", "--force");
                    assertHealed(export, file);
                    assertThat(Files.mismatch(good, healed))
                            .as("%s of %s", kind, file)
                            .isEqualTo(-1);
                    Cli fork = fork(run, kind + file.substring(0, 3));
                    assertHealed(fork, file);
                    assertThat(fork.weights()).as("%s of %s", kind, file).isEqualTo(straight);
                }
            }
        }
    }

    /// A bit in the middle of the file's first half, or the last hundredth.
    private static DamagedRegion small(Path file, Kind kind) throws IOException {
        int size = Math.toIntExact(Files.size(file));
        return switch (kind) {
            case BIT -> new DamagedRegion(kind, file, size / 4, 1, 5);
            case NOISE, ZEROS, TRUNCATION ->
                new DamagedRegion(kind, file, size - Math.ceilDiv(size, 100), Math.ceilDiv(size, 100), 5);
        };
    }

    private void assertReadsTheBitsThatWereWritten(Path sound, Path damaged, String file) throws IOException {
        try (var _ = noise(damaged.resolve(file)).damage()) {
            Path good = folder.resolve("good.safetensors");
            Path healed = folder.resolve("healed.safetensors");
            assertThat(Cli.run("export", sound.toString(), good.toString(), "--all")
                            .errorLines())
                    .isEmpty();
            assertHealed(Cli.run("export", damaged.toString(), healed.toString(), "--all"), file);
            assertThat(Cli.run(
                                    "import",
                                    healed.toString(),
                                    folder.resolve("imported").toString())
                            .code())
                    .isZero();
            assertThat(Cli.run(
                                    "diff",
                                    sound.toString(),
                                    folder.resolve("imported").toString(),
                                    "--exit-code")
                            .code())
                    .isZero();

            Cli scored = Cli.run("eval", damaged.toString(), "--json");
            assertHealed(scored, file);
            assertThat(scored.json().path("testLoss"))
                    .isEqualTo(
                            Cli.run("eval", sound.toString(), "--json").json().path("testLoss"));
            assertThat(scored.json().path("testLoss").isNumber()).isTrue();

            Cli fork = fork(damaged, "fork");
            assertHealed(fork, file);
            assertThat(fork.weights()).isEqualTo(fork(sound, "straight").weights());

            Cli compared = Cli.run("diff", damaged + "@2", damaged + "@4", "--json");
            assertHealed(compared, file);
            assertThat(compared.json().path("tensors"))
                    .isEqualTo(Cli.run("diff", sound + "@2", sound + "@4", "--json")
                            .json()
                            .path("tensors"));

            // Records alone describe a checkpoint, and what heals is not damaged.
            Cli shown = Cli.run("show", damaged.toString());
            assertThat(shown.code()).isZero();
            assertThat(shown.err()).isEmpty();
            assertThat(Cli.run("ls", damaged.toString(), "--json").json().path("checkpoints"))
                    .isNotEmpty()
                    .allSatisfy(each -> assertThat(each.path("status").asText()).isEqualTo("good"));
        }
        assertThat(Cli.run("verify", damaged.toString()).code()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {".seg", ".rec"})
    void aRunInObjectStorageHealsAndIsRepaired(String kind) throws IOException {
        try (var server = new AtomicS3("bucket")) {
            Clients.useMadeUpCredentials();
            assertThat(remote(server, 4).code()).isZero();
            String key = server.keys("bucket").stream()
                    .filter(each -> each.endsWith(kind))
                    .sorted()
                    .toList()
                    .getFirst();
            byte[] damaged = server.content("bucket", key).clone();
            byte[] noise = new byte[Math.min(4096, damaged.length / 2)];
            new Random(4).nextBytes(noise);
            System.arraycopy(noise, 0, damaged, damaged.length / 3, noise.length);
            server.put("bucket", key, damaged);
            Cli verified = cairn(server, "verify", REMOTE, "--json");
            assertThat(verified.code()).isEqualTo(3);
            assertThat(verified.json().path("damaged"))
                    .singleElement()
                    .satisfies(each ->
                            assertThat(each.path("healable").asBoolean()).isTrue());
            String file = key.substring("runs/first/".length());
            Path sound = train("sound");
            assertReadersHeal(server, sound, file);
            Cli on = remote(server, 6);
            assertHealed(on, file);
            assertThat(on.json().path("resumedFromStep").asLong()).isEqualTo(4);
            assertThat(on.weights()).isEqualTo(train("alone", 6).weights());
            assertThat(cairn(server, "repair", REMOTE).code()).isZero();
            assertThat(cairn(server, "verify", REMOTE).code()).isZero();
        }
    }

    /// Exports, scores, comparisons and forks of the remote run are those of a sound run.
    private void assertReadersHeal(AtomicS3 server, Path sound, String file) throws IOException {
        Path good = folder.resolve("good.npz");
        Path healed = folder.resolve("healed.npz");
        assertThat(Cli.run("export", sound.toString(), good.toString()).code()).isZero();
        assertHealed(cairn(server, "export", REMOTE, healed.toString()), file);
        assertThat(Files.mismatch(good, healed)).isEqualTo(-1);

        Cli scored = cairn(server, "eval", REMOTE, "--json");
        assertHealed(scored, file);
        assertThat(scored.json().path("testLoss"))
                .isEqualTo(Cli.run("eval", sound.toString(), "--json").json().path("testLoss"));

        Cli compared = cairn(server, "diff", REMOTE + "@2", REMOTE + "@4", "--json");
        assertHealed(compared, file);
        assertThat(compared.json().path("tensors"))
                .isEqualTo(Cli.run("diff", sound + "@2", sound + "@4", "--json")
                        .json()
                        .path("tensors"));

        var words = training(folder.resolve("fork").toString(), 6);
        words.addAll(List.of("--from", REMOTE));
        Cli fork = cairn(server, words.toArray(String[]::new));
        assertHealed(fork, file);
        assertThat(fork.weights()).isEqualTo(fork(sound, "straight").weights());
        assertThat(cairn(server, "show", REMOTE).code()).isZero();
    }

    private static void assertHealed(Cli cli, String file) {
        String source = file.endsWith(".rec") ? " from its twin" : " from its parity";
        assertThat(cli.code()).as(cli.err()).isZero();
        assertThat(cli.errorLines())
                .filteredOn(line -> line.startsWith("cairn: healed: " + file + source))
                .as(cli.err())
                .hasSize(1);
    }

    private static DamagedRegion noise(Path file) throws IOException {
        int length = (int) Math.min(4096, Files.size(file) / 2);
        return new DamagedRegion(DamagedRegion.Kind.NOISE, file, Files.size(file) / 3, length, 8);
    }

    private static Path firstSegment(Path run) throws IOException {
        try (Stream<Path> files = Files.list(run.resolve("segments"))) {
            return files.sorted().toList().getFirst();
        }
    }

    private Path train(String name) {
        assertThat(train(name, 4).code()).isZero();
        return folder.resolve(name);
    }

    private Cli train(String name, int steps) {
        return Cli.run(training(folder.resolve(name).toString(), steps).toArray(String[]::new));
    }

    private Cli fork(Path from, String name) {
        var words = training(folder.resolve(name).toString(), 6);
        words.addAll(List.of("--from", from.toString()));
        return Cli.run(words.toArray(String[]::new));
    }

    private static Cli remote(AtomicS3 server, int steps) {
        return cairn(server, training(REMOTE, steps).toArray(String[]::new));
    }

    private static Cli cairn(AtomicS3 server, String... words) {
        var all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--endpoint", server.endpoint().toString(), "--path-style"));
        return Cli.run(all.toArray(String[]::new));
    }

    private static List<String> training(String run, int steps) {
        return new ArrayList<>(List.of(
                "train",
                "lr",
                "--run",
                run,
                "--steps",
                "" + steps,
                "--every",
                "2",
                "--batch",
                "8",
                "--threads",
                "1",
                "--json"));
    }
}
