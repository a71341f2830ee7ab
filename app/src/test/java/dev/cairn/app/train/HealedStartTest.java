package dev.cairn.app.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.app.Cli;
import dev.cairn.app.Main;
import dev.cairn.testkit.Command;
import dev.cairn.testkit.Command.Ended;
import dev.cairn.testkit.DamagedRegion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The next start of a training with a damaged file continues from its newest checkpoint, ends in the same bits as an
/// undisturbed training, and says what it healed.
class HealedStartTest {
    private static final long SEED = 50;
    private static final int REGION = 4096;

    @TempDir
    Path folder;

    @Test
    void continuesFromTheNewestCheckpoint() throws IOException {
        startWithDamage(4, 2);
    }

    @Test
    @Tag("hostile")
    void continuesFromTheNewestCheckpointFiftyTimes() throws IOException {
        startWithDamage(50, 5);
    }

    /// @param processes how many of the starts are processes of their own
    private void startWithDamage(int trials, int processes) throws IOException {
        String straight = train("straight", 40).weights();
        Path sound = folder.resolve("sound");
        train("sound", 30);
        var random = new Random(SEED);
        int told = 0;
        for (int trial = 0; trial < trials; trial++) {
            Path run = copy(sound, folder.resolve("run-" + trial));
            var region = DamagedRegion.random(anyFile(run, random), REGION, random);
            region.damage();
            Cli resumed = trial < processes ? process("run-" + trial) : train("run-" + trial, 40);
            assertThat(resumed.code()).as("%s: %s", region, resumed.err()).isZero();
            assertThat(resumed.json().path("resumedFromStep").asLong())
                    .as("%s: %s", region, resumed.err())
                    .isEqualTo(30);
            assertThat(resumed.weights()).as("%s", region).isEqualTo(straight);
            List<String> healed = resumed.errorLines().stream()
                    .filter(line -> line.startsWith("cairn: healed: " + run.relativize(region.file())))
                    .toList();
            boolean isRecord = region.file().toString().endsWith(".rec");
            assertThat(healed).as("%s: %s", region, resumed.err()).hasSizeBetween(isRecord ? 1 : 0, 1);
            told += healed.size();
        }
        assertThat(told).as("damages that a start noticed").isGreaterThanOrEqualTo(trials / 3);
    }

    private static Path anyFile(Path run, Random random) throws IOException {
        try (Stream<Path> files = Files.walk(run)) {
            List<Path> all = files.filter(file -> file.toString().matches(".*\\.(seg|rec|twin)"))
                    .sorted()
                    .toList();
            return all.get(random.nextInt(all.size()));
        }
    }

    private static Path copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
        }
        return to;
    }

    private Cli train(String run, int steps) {
        return Cli.run(words(run, steps));
    }

    private Cli process(String run) throws IOException {
        Ended ended = Command.java(List.of("--enable-native-access=ALL-UNNAMED"), Main.class, words(run, 40))
                .run();
        return new Cli(ended.code(), ended.out(), ended.err());
    }

    private String[] words(String run, int steps) {
        return new String[] {
            "train", "lr", "--run", folder.resolve(run).toString(), "--steps", "" + steps, "--every", "10", "--json"
        };
    }
}
