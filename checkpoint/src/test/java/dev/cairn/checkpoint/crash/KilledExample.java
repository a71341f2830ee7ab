package dev.cairn.checkpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.testkit.ChildProcess;
import dev.cairn.testkit.Command;
import dev.cairn.testkit.Eventually;
import dev.cairn.testkit.JavaProcess;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/// A program of `examples/`, compiled and run on the class path of the tests: once without interruption, and once
/// killed with SIGKILL and restarted. For the modules with a hook for a framework's loop.
public final class KilledExample {
    private static final String CLASS_PATH = System.getProperty("java.class.path");
    private static final int LATEST_RECORD = 6;
    private static final long LONGEST_DELAY_MILLIS = 40;
    private static final List<String> ACCESS = List.of("--enable-native-access=ALL-UNNAMED");
    private static final int MOST_LATE_KILLS = 20;

    private final String main;
    private final Path folder;
    private final int steps;
    private final List<String> flags;

    /// @param name the folder in `examples/`, which has a single source file; the program takes a run and a number
    ///     of steps, prints `begins at step N` first, and saves its last step
    public KilledExample(String name, Path folder, int steps, String... flags) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("..", "examples", name, "src", "main", "java"))) {
            Path source = files.findFirst().orElseThrow();
            this.main = source.getFileName().toString().replace(".java", "");
            compile(source, folder.resolve("classes"));
        }
        this.folder = folder;
        this.steps = steps;
        this.flags = List.of(flags);
    }

    /// Asserts that the run that was killed at a random time ends with the same output, and the same bits of the
    /// state, as the other.
    public void endsInTheSameBits(long seed) throws IOException, InterruptedException {
        var random = new Random(seed);
        List<String> undisturbed = finish("undisturbed");
        String killed = killed(random);
        long saved = newest(killed).step();
        List<String> resumed = finish(killed);

        assertThat(undisturbed).startsWith("begins at step 0");
        assertThat(resumed).as("seed %d", seed).startsWith("begins at step " + saved);
        assertThat(saved).isPositive().isLessThan(steps);
        assertThat(resumed.subList(1, resumed.size())).isEqualTo(undisturbed.subList(1, undisturbed.size()));
        assertThat(newest(killed).step())
                .isEqualTo(steps)
                .isEqualTo(newest("undisturbed").step());
        assertThat(newest(killed).digest()).isEqualTo(newest("undisturbed").digest());
    }

    /// The name of a run that was killed before its end. On a busy machine a kill may come too late: then another
    /// run is tried.
    private String killed(Random random) throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            String run = "killed-" + attempt;
            try (ChildProcess process =
                    command(run, attempt == 1 ? ACCESS : List.of()).start()) {
                Path record = folder.resolve(run)
                        .resolve("log")
                        .resolve("000000000%d.rec".formatted(2 + random.nextInt(LATEST_RECORD - 1)));
                Eventually.holds(record + " or the end", () -> Files.exists(record) || !process.isAlive());
                TimeUnit.MILLISECONDS.sleep(random.nextLong(LONGEST_DELAY_MILLIS));
                int code = process.kill();
                boolean late =
                        code == 0 || (code == ChildProcess.KILLED && newest(run).step() == steps);
                if (!late || attempt == MOST_LATE_KILLS) {
                    assertThat(code).as(process.out() + process.err()).isEqualTo(ChildProcess.KILLED);
                    return run;
                }
            }
        }
    }

    private static void compile(Path source, Path classes) {
        var said = new StringWriter();
        var writer = new PrintWriter(said);
        int result = ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(writer, writer, "-proc:none", "-cp", CLASS_PATH, "-d", classes.toString(), source.toString());
        assertThat(result).as(said.toString()).isZero();
    }

    private List<String> finish(String run) throws IOException {
        return command(run, ACCESS).succeed().lines().toList();
    }

    /// @param access to native code: without it saving threads do not give way, and save in time where much else runs
    private Command command(String run, List<String> access) {
        var words = new ArrayList<String>();
        words.add(JavaProcess.java());
        words.addAll(List.of("-XX:+UseSerialGC", "-Xmx256m", "-XX:TieredStopAtLevel=1"));
        words.addAll(access);
        words.add("--sun-misc-unsafe-memory-access=allow");
        words.addAll(flags);
        words.addAll(List.of("-cp", folder.resolve("classes") + File.pathSeparator + CLASS_PATH));
        words.addAll(List.of(main, folder.resolve(run).toString(), Integer.toString(steps)));
        return Command.of(words).withVariable("OMP_NUM_THREADS", "1"); // a busy machine has no more
    }

    private Commit newest(String run) throws IOException {
        var store = new CheckpointStore(new LocalBlobStore(folder.resolve(run)));
        return ((Entry.Intact) store.currentEntries().getLast()).checkpoint();
    }
}
