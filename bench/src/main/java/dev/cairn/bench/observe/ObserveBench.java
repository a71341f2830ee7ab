package dev.cairn.bench.observe;

import dev.cairn.bench.Bench;
import dev.cairn.bench.Medians;
import dev.cairn.bench.Memcpy;
import dev.cairn.bench.Row;
import dev.cairn.bench.StepWatch;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Matching;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.observe.Observers;
import dev.cairn.observe.ProgressFile;
import dev.cairn.observe.Recorder;
import dev.cairn.observe.TrainingObserver;
import dev.cairn.observe.TrainingProgress;
import dev.cairn.observe.events.EventLog;
import dev.cairn.observe.metrics.MetricsServer;
import dev.cairn.observe.system.SystemLog;
import dev.cairn.observe.tensorboard.CurveFolder;
import dev.cairn.observe.tensorboard.TensorBoardLog;
import dev.cairn.store.Clock;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.train.Goals;
import dev.cairn.train.Trainer;
import dev.cairn.train.TrainingRequest;
import dev.cairn.train.TrainingSettings;
import dev.cairn.train.TrainingSettings.RefusedException;
import dev.cairn.train.data.ImageSet;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Measures the time of trainings with everything that records and watches them, beside the same trainings without, and
/// the processor time of system figures.
public final class ObserveBench implements Bench {
    private static final int PAIRS = 16;
    private static final int WARM_UP_STEPS = 300;
    private static final int STEPS = 1200;
    private static final int SYSTEM_WARM_UP_SECONDS = 5;
    private static final int SYSTEM_SECONDS = 30;
    private static final int SCRAPE_SECONDS = 5;
    private static final String SYSTEM_THREAD = "cairn-system";

    private final ImageSet data;
    private final Path folder;
    private final int threads;
    private final Consumer<String> progress;

    /// @param threads the number of threads of the training
    public ObserveBench(ImageSet data, Path folder, int threads, Consumer<String> progress) {
        this.data = data;
        this.folder = folder;
        this.threads = threads;
        this.progress = progress;
    }

    @Override
    public List<Row> run() throws IOException {
        double system = systemShare();
        double[] ratios = new double[PAIRS];
        seconds(true); // compiles what is measured
        for (int pair = 0; pair < PAIRS; pair++) {
            progress.accept("observe.lenet, %d of %d".formatted(pair + 1, PAIRS));
            // In turns, so that a machine that becomes slower favours neither.
            double first = seconds(pair % 2 == 0);
            double second = seconds(pair % 2 != 0);
            ratios[pair] = pair % 2 == 0 ? first / second : second / first;
        }
        Medians medians = Medians.of(ratios);
        return List.of(
                Row.atMost("observe.lenet", medians.median(), "x without", 1.01, 1.003),
                Row.plain("observe.lenet.low", medians.low(), "x without"),
                Row.plain("observe.lenet.high", medians.high(), "x without"),
                Row.atMost("observe.system", system, "of a core", 0.005, 0.003));
    }

    /// The seconds of the steps of one training.
    private double seconds(boolean observed) throws IOException {
        Path run = Files.createTempDirectory(folder, "observe-");
        var watch = new StepWatch(WARM_UP_STEPS, WARM_UP_STEPS + STEPS);
        var observers = new ArrayList<TrainingObserver>();
        observers.add(watch);
        List<Recorder> recorders = observed ? recorders(run) : List.of();
        observers.addAll(recorders);
        try (ScheduledExecutorService scraper = Executors.newSingleThreadScheduledExecutor()) {
            Optional<MetricsServer> metrics =
                    observed ? Optional.of(MetricsServer.onLoopback(0, "run")) : Optional.empty();
            metrics.ifPresent(server -> {
                observers.add(server);
                Future<?> _ = scraper.scheduleAtFixedRate(
                        () -> scrape(server), SCRAPE_SECONDS, SCRAPE_SECONDS, TimeUnit.SECONDS);
            });
            train(run, Observers.of(observers));
            scraper.shutdownNow();
            metrics.ifPresent(MetricsServer::close);
        } finally {
            recorders.forEach(Recorder::close);
        }
        return watch.seconds();
    }

    private static List<Recorder> recorders(Path run) throws IOException {
        Clock clock = Clock.system();
        var store = new LocalBlobStore(run);
        var progress = new TrainingProgress(clock);
        long pid = ProcessHandle.current().pid();
        return List.of(
                new ProgressFile(run, progress, clock),
                EventLog.in(store, "w0", clock, ObserveBench::failed),
                SystemLog.in(store, "w0", () -> Map.of("w0", pid), Duration.ofSeconds(1), clock, ObserveBench::failed),
                TensorBoardLog.in(
                        new CurveFolder.InRun(run), "w0", TensorBoardLog.USUAL_EVERY, clock, ObserveBench::failed));
    }

    private void train(Path run, TrainingObserver observer) throws IOException {
        TrainingRequest request = TrainingRequest.of("lenet")
                .with("optimizer", "momentum")
                .with("rate", 1e-4)
                .with("threads", threads)
                .with("evaluateEvery", 1_000_000)
                .with("steps", WARM_UP_STEPS + STEPS);
        CheckpointOptions never = CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(Integer.MAX_VALUE))
                .withoutLog();
        try (Checkpoints checkpoints = Checkpoints.open(run, never)) {
            TrainingSettings settings =
                    TrainingSettings.resolve(request, Optional.empty()).settings();
            new Trainer(settings, data, Goals.NONE, observer, Notices.none())
                    .train(checkpoints, new Trainer.Start.Resume(Matching.WHOLE));
        } catch (RefusedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void scrape(MetricsServer server) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            client.send(
                    HttpRequest.newBuilder(URI.create(server.address())).build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// The processor time of the thread that reads and writes system figures, as a share of one core.
    private double systemShare() throws IOException {
        progress.accept("observe.system, %d s".formatted(SYSTEM_WARM_UP_SECONDS + SYSTEM_SECONDS));
        var store = new LocalBlobStore(Files.createTempDirectory(folder, "system-"));
        long pid = ProcessHandle.current().pid();
        try (SystemLog log = SystemLog.in(
                store, "w0", () -> Map.of("w0", pid), Duration.ofSeconds(1), Clock.system(), ObserveBench::failed)) {
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

    private static void failed(IOException reason) {
        throw new UncheckedIOException(reason);
    }

    @Override
    public double memcpyBytesPerSecond() {
        return Memcpy.bytesPerSecond();
    }

    @Override
    public String note() {
        return "%d threads; lenet with batch 64; events, TensorBoard, system figures every second, metrics asked for every %d s, progress.jsonl (docs/BENCH.md)"
                .formatted(threads, SCRAPE_SECONDS);
    }
}
