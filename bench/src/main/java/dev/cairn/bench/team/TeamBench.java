package dev.cairn.bench.team;

import com.sun.management.OperatingSystemMXBean;
import dev.cairn.bench.Bench;
import dev.cairn.bench.Medians;
import dev.cairn.bench.Memcpy;
import dev.cairn.bench.Row;
import dev.cairn.engine.Activation;
import dev.cairn.engine.Architectures;
import dev.cairn.engine.Parameter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/// Measures how fast a team notices that a worker was killed and goes on, what its supervision costs, and how much
/// faster two workers are than one.
public final class TeamBench implements Bench {
    private static final int KILLS = 30;
    private static final int LEADERS = 5;
    private static final int FORMATIONS = 30;
    private static final int STEPS = 300;
    private static final int CLASSES = 10;

    private final String main;
    private final Path folder;
    private final Consumer<String> progress;
    private final List<Row> rows = new ArrayList<>();
    private double memcpy;

    /// @param main the name of the program's main class, whose command `train` the workers run
    public TeamBench(String main, Path folder, Consumer<String> progress) {
        this.main = main;
        this.folder = folder;
        this.progress = progress;
    }

    @Override
    public List<Row> run() throws IOException {
        memcpy = Memcpy.bytesPerSecond();
        failures();
        progress.accept("alexnet with one worker and with two");
        ImageSpeed.Times times = new ImageSpeed(main, Files.createDirectory(folder.resolve("alexnet"))).measure();
        rows.add(Row.plain("alexnet.step.1", times.one(), "s"));
        rows.add(Row.plain("alexnet.step.2", times.two(), "s"));
        rows.add(Row.plain("alexnet.allreduce", times.allreduce(), "s"));
        rows.add(Row.atLeast("alexnet.speedup", times.speedup(), "x one worker", times.must(), 1.9));
        return rows;
    }

    private void failures() throws IOException {
        Path meetings = Files.createDirectory(folder.resolve("lenet-job"));
        List<String> lenet = List.of(
                "lenet",
                "--run",
                folder.resolve("lenet").toString(),
                "--data",
                "digits",
                "--threads",
                "1",
                "--steps",
                "100000000",
                "--eval-every",
                "100000000",
                "--every",
                "100000000");
        double[] noticed = new double[KILLS];
        double[] next = new double[KILLS];
        double[] leaders = new double[LEADERS];
        double[] plain = new double[FORMATIONS];
        try (var team = new WatchedTeam(main, meetings, 2, 1, lenet)) {
            for (int i = 0; i < KILLS; i++) {
                progress.accept(String.format(Locale.ROOT, "kill %d of %d", i + 1, KILLS));
                plain[i] = team.formAgain(); // alternately, so that other load on the machine affects both
                WatchedTeam.Recovery recovery = team.kill(1);
                noticed[i] = recovery.noticed();
                next[i] = recovery.nextStep();
            }
            for (int i = 0; i < LEADERS; i++) {
                progress.accept(String.format(Locale.ROOT, "kill of the leader, %d of %d", i + 1, LEADERS));
                leaders[i] = team.kill(0).nextStep();
            }
            double formation = Medians.of(plain).median();
            double recovery = Medians.of(next).median();
            rows.add(Row.atMost("detect", 1000 * Medians.of(noticed).median(), "ms", 100, 50));
            rows.add(Row.plain("form", formation, "s"));
            rows.add(Row.plain("recover.time", recovery, "s"));
            rows.add(Row.atMost("recover", recovery / formation, "x form", 3, 1.5));
            rows.add(Row.plain("recover.leader", Medians.of(leaders).median() / formation, "x form"));
            cost(team);
        }
    }

    private void cost(WatchedTeam team) throws IOException {
        progress.accept("the cost of supervision");
        team.formAgain(); // waits until the team is warm
        var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long cpu = system.getProcessCpuTime();
        long start = System.nanoTime();
        double step = Medians.of(team.steps(STEPS)).median();
        double supervisor = (double) (system.getProcessCpuTime() - cpu) / (System.nanoTime() - start);
        try (var cost = new SupervisionCost(lenetStateBytes())) {
            double share = cost.ofStep() / step + cost.ofPulse() + supervisor;
            rows.add(Row.plain("lenet.step", 1000 * step, "ms"));
            rows.add(Row.plain("agree.save", cost.ofSave() / step, "x step"));
            rows.add(Row.atMost("supervision", 100 * share, "% of a step", 1, 0.5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /// Weights and first moments.
    private static long lenetStateBytes() {
        long weights = Architectures.lenet5(Activation.RELU, CLASSES).parameters().stream()
                .mapToLong(Parameter::count)
                .sum();
        return 2 * Float.BYTES * weights;
    }

    @Override
    public double memcpyBytesPerSecond() {
        return memcpy;
    }

    @Override
    public String note() {
        return "lenet with two workers and a spare process, one thread each, %d kills; alexnet on images of 28x28, batch 256 per worker, one thread each"
                .formatted(KILLS);
    }
}
