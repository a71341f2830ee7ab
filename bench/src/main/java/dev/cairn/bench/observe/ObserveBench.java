package dev.cairn.bench.observe;

import dev.cairn.bench.Bench;
import dev.cairn.bench.Medians;
import dev.cairn.bench.Memcpy;
import dev.cairn.bench.Row;
import dev.cairn.bench.observe.Turns.Cost;
import dev.cairn.bench.observe.Turns.Turn;
import dev.cairn.observe.system.SystemLog;
import dev.cairn.store.Clock;
import dev.cairn.store.blob.LocalBlobStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/// Measures what it costs a training to be recorded, and to be shown by a dashboard. Trainings with and without run in
/// turns. Also measures the processor time of system figures.
public final class ObserveBench implements Bench {
    private static final int ROUNDS = 16;
    private static final int SYSTEM_WARM_UP_SECONDS = 4;
    private static final int SYSTEM_SECONDS = 8;
    private static final String SYSTEM_THREAD = "cairn-system";

    private final String main;
    private final Path folder;
    private final int threads;
    private final Consumer<String> progress;

    /// @param main the name of the program's main class
    /// @param threads the number of threads of the training
    public ObserveBench(String main, Path folder, int threads, Consumer<String> progress) {
        this.main = main;
        this.folder = folder;
        this.threads = threads;
        this.progress = progress;
    }

    @Override
    public List<Row> run() throws IOException {
        double system = systemShare();
        progress.accept("observe.lenet, warm up");
        var rounds = new ArrayList<Map<Turn, Cost>>();
        double recording;
        try (var turns = new Turns(main, folder, threads)) {
            turns.take(ROUNDS, costs -> {
                rounds.add(costs);
                progress.accept("observe.lenet, %d of %d".formatted(rounds.size(), ROUNDS));
            });
            recording = turns.recordingShare();
        }
        Medians cpu = ratio(rounds, Turn.RECORDED, Turn.ALONE, Cost::cpuSeconds);
        Medians wall = ratio(rounds, Turn.RECORDED, Turn.ALONE, Cost::seconds);
        Medians shown = ratio(rounds, Turn.SHOWN, Turn.RECORDED, Cost::seconds);
        double share = rounds.stream()
                .mapToDouble(costs -> of(costs, Turn.SHOWN).dashboardShare())
                .average()
                .orElseThrow();
        return List.of(
                Row.atMost("observe.share", recording, "of its cpu time", 0.01, 0.003),
                Row.plain("observe.lenet", cpu.median(), "x without"),
                Row.atMost("observe.lenet.low", cpu.low(), "x without", 1.01, 1.003),
                Row.plain("observe.lenet.high", cpu.high(), "x without"),
                Row.plain("observe.lenet.wall", wall.median(), "x without"),
                Row.plain("observe.lenet.wall.low", wall.low(), "x without"),
                Row.plain("observe.lenet.wall.high", wall.high(), "x without"),
                Row.atMost("observe.system", system, "of a core", 0.005, 0.003),
                Row.plain("dashboard.lenet", shown.median(), "x without"),
                Row.plain("dashboard.lenet.low", shown.low(), "x without"),
                Row.plain("dashboard.lenet.high", shown.high(), "x without"),
                Row.atMost("dashboard.share", share, "of a core", 0.1, 0.05));
    }

    private static Medians ratio(List<Map<Turn, Cost>> rounds, Turn one, Turn other, ToDoubleFunction<Cost> cost) {
        return Medians.of(rounds.stream()
                .mapToDouble(costs -> cost.applyAsDouble(of(costs, one)) / cost.applyAsDouble(of(costs, other)))
                .toArray());
    }

    private static Cost of(Map<Turn, Cost> costs, Turn turn) {
        return Objects.requireNonNull(costs.get(turn));
    }

    /// The processor time of the thread that reads and writes system figures, as a share of one core.
    private double systemShare() throws IOException {
        progress.accept("observe.system, %d s".formatted(SYSTEM_WARM_UP_SECONDS + SYSTEM_SECONDS));
        var store = new LocalBlobStore(Files.createTempDirectory(folder, "system-"));
        try (SystemLog log = Recorders.system(store)) {
            log.begin();
            pause(SYSTEM_WARM_UP_SECONDS);
            long before = systemNanos();
            long start = System.nanoTime();
            pause(SYSTEM_SECONDS);
            return (double) (systemNanos() - before) / (System.nanoTime() - start);
        }
    }

    private static void pause(int seconds) throws IOException {
        try {
            Clock.system().pause(Duration.ofSeconds(seconds));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }

    private static long systemNanos() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().equals(SYSTEM_THREAD)) {
                return threads.getThreadCpuTime(thread.getThreadId());
            }
        }
        throw new IllegalStateException("no thread " + SYSTEM_THREAD);
    }

    @Override
    public double memcpyBytesPerSecond() {
        return Memcpy.bytesPerSecond();
    }

    @Override
    public String note() {
        return "lenet on digits, batch 64, %d threads; processes in turns of 2 s (docs/BENCH.md)".formatted(threads);
    }
}
