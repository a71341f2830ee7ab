package dev.cairn.checkpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
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
    private static final long PATIENCE_SECONDS = 300;
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
            Process process = attempt == 1 ? start(run) : start(run, List.of());
            Path record = folder.resolve(run)
                    .resolve("log")
                    .resolve("000000000%d.rec".formatted(2 + random.nextInt(LATEST_RECORD - 1)));
            while (!Files.exists(record) && process.isAlive()) {
                TimeUnit.MILLISECONDS.sleep(2);
            }
            TimeUnit.MILLISECONDS.sleep(random.nextLong(LONGEST_DELAY_MILLIS));
            process.toHandle().destroyForcibly();
            int code = process.waitFor();
            boolean late =
                    code == 0 || (code == WorkerProcess.SIGKILLED && newest(run).step() == steps);
            if (!late || attempt == MOST_LATE_KILLS) {
                assertThat(code).as(said(run)).isEqualTo(WorkerProcess.SIGKILLED);
                return run;
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

    private List<String> finish(String run) throws IOException, InterruptedException {
        Process process = start(run);
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        assertThat(process.waitFor()).as(said(run)).isZero();
        return Files.readAllLines(output(run));
    }

    private Process start(String run) throws IOException {
        return start(run, List.of("--enable-native-access=ALL-UNNAMED"));
    }

    /// @param access to native code: without it saving threads do not give way, and save in time where much else runs
    private Process start(String run, List<String> access) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-Xmx256m", "-XX:TieredStopAtLevel=1"));
        command.addAll(access);
        command.add("--sun-misc-unsafe-memory-access=allow");
        command.addAll(flags);
        command.addAll(List.of("-cp", folder.resolve("classes") + File.pathSeparator + CLASS_PATH));
        command.addAll(List.of(main, folder.resolve(run).toString(), Integer.toString(steps)));
        var builder = new ProcessBuilder(command)
                .redirectOutput(output(run).toFile())
                .redirectError(errors(run).toFile());
        builder.environment().put("OMP_NUM_THREADS", "1"); // a busy machine has no more
        return builder.start();
    }

    private String said(String run) throws IOException {
        return run + ": " + Files.readString(output(run)) + Files.readString(errors(run));
    }

    private Path output(String run) {
        return folder.resolve(run + ".out");
    }

    private Path errors(String run) {
        return folder.resolve(run + ".err");
    }

    private Commit newest(String run) throws IOException {
        var store = new CheckpointStore(new LocalBlobStore(folder.resolve(run)));
        return ((Entry.Intact) store.currentEntries().getLast()).checkpoint();
    }
}
