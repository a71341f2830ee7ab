package dev.cairn.bench.observe;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.observe.Observers;
import dev.cairn.observe.ProgressFile;
import dev.cairn.observe.Recorder;
import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingObserver;
import dev.cairn.observe.TrainingProgress;
import dev.cairn.observe.events.EventLog;
import dev.cairn.observe.metrics.MetricsServer;
import dev.cairn.observe.system.SystemLog;
import dev.cairn.observe.tensorboard.CurveFolder;
import dev.cairn.observe.tensorboard.TensorBoardLog;
import dev.cairn.store.Clock;
import dev.cairn.store.blob.LocalBlobStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/// Everything that `cairn train` lets watch a training, or nothing.
final class Recorders implements AutoCloseable {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final Pattern OWN_THREAD =
            Pattern.compile("cairn-(events|tensorboard|system|progress|metrics.*)|HTTP-.*");

    private final AtomicLong inTraining = new AtomicLong();
    private final List<Recorder> recorders;
    private final Optional<MetricsServer> metrics;

    /// Who watches.
    enum Kind {
        NOBODY,
        EVERYBODY
    }

    private Recorders(List<Recorder> recorders, Optional<MetricsServer> metrics) {
        this.recorders = List.copyOf(recorders);
        this.metrics = metrics;
    }

    static Recorders of(Kind kind, Path run) throws IOException {
        return switch (kind) {
            case NOBODY -> new Recorders(List.of(), Optional.empty());
            case EVERYBODY -> new Recorders(all(run), Optional.of(MetricsServer.onLoopback(0, "run")));
        };
    }

    private static List<Recorder> all(Path run) throws IOException {
        Clock clock = Clock.system();
        var store = new LocalBlobStore(run);
        return List.of(
                new ProgressFile(run, new TrainingProgress(clock), clock),
                EventLog.in(store, "w0", clock, Recorders::failed),
                system(store),
                TensorBoardLog.in(
                        new CurveFolder.InRun(run), "w0", TensorBoardLog.USUAL_EVERY, clock, Recorders::failed));
    }

    /// The system figures of this process.
    static SystemLog system(LocalBlobStore store) {
        long pid = ProcessHandle.current().pid();
        return SystemLog.in(
                store, "w0", () -> Map.of("w0", pid), Duration.ofSeconds(1), Clock.system(), Recorders::failed);
    }

    private static void failed(IOException reason) {
        throw new UncheckedIOException(reason);
    }

    TrainingObserver observer() {
        var all = new ArrayList<TrainingObserver>(recorders);
        metrics.ifPresent(all::add);
        return new Measured(Observers.of(all));
    }

    /// The processor time that recording has taken so far: in the training thread, and in threads of its own.
    long cpuNanos() {
        long nanos = inTraining.get();
        for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (thread != null && OWN_THREAD.matcher(thread.getThreadName()).matches()) {
                nanos += Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId()));
            }
        }
        return nanos;
    }

    /// Adds up the processor time that events take in the training thread.
    private final class Measured implements TrainingObserver {
        private final TrainingObserver observer;

        Measured(TrainingObserver observer) {
            this.observer = observer;
        }

        @Override
        public void on(TrainingEvent event) {
            long begin = THREADS.getCurrentThreadCpuTime();
            observer.on(event);
            inTraining.addAndGet(THREADS.getCurrentThreadCpuTime() - begin);
        }

        @Override
        public void watch(Supplier<List<LiveTensor>> state) {
            observer.watch(state);
        }
    }

    Optional<String> metricsAddress() {
        return metrics.map(MetricsServer::address);
    }

    @Override
    public void close() {
        metrics.ifPresent(MetricsServer::close);
        recorders.forEach(Recorder::close);
    }
}
