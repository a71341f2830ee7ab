package dev.cairn.observe.system;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingObserver;
import dev.cairn.observe.recording.Header;
import dev.cairn.observe.recording.Lines;
import dev.cairn.observe.recording.Recording;
import dev.cairn.observe.recording.Sink;
import dev.cairn.store.Clock;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.RecordingName.Series;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Records how this machine and the processes of a training are used, in the run, as described in `docs/SYSTEM.md`:
/// as JSON lines, and as a table for spreadsheets.
///
/// One thread reads the figures and writes them: in a folder with every sample, in object storage every half minute
/// and at the end. It begins when the training has started, so a refused start leaves no file. Whatever fails is
/// reported once and does not affect the training.
public final class SystemLog implements TrainingObserver, AutoCloseable {
    /// The maximum size of the JSON lines of one process in one attempt.
    public static final long MOST_BYTES = 4 << 20;

    /// The maximum size of the table.
    public static final long MOST_TABLE_BYTES = 1 << 20;

    private static final int VERSION = 1;
    private static final Duration DEAR_PAUSE = Duration.ofSeconds(30);
    private static final Duration LAST_PATIENCE = Duration.ofSeconds(5);

    /// A last sample of less time than this would say nothing: counters of CPU time are coarse.
    private static final double LEAST_SECONDS = 0.1;

    private final Supplier<Machine> machine;
    private final Supplier<Map<String, Long>> processes;
    private final Duration every;
    private final Clock clock;
    private final Consumer<IOException> trouble;
    private final String process;
    private final Lines lines;
    private final Lines rows;
    private final Recording samples;
    private final Recording table;

    private final Object lock = new Object();
    private @Nullable Thread thread;
    private boolean closing;
    private int cores = 1;
    private boolean told;

    SystemLog(
            Supplier<Machine> machine,
            BlobStore store,
            String process,
            Supplier<Map<String, Long>> processes,
            Duration every,
            Clock clock,
            Consumer<IOException> trouble,
            long mostBytes) {
        this.machine = machine;
        this.process = process;
        this.processes = processes;
        this.every = every;
        this.clock = clock;
        this.trouble = trouble;
        this.lines = new Lines(mostBytes, _ -> false);
        this.rows = new Lines(mostBytes * MOST_TABLE_BYTES / MOST_BYTES, _ -> false);
        this.samples = new Recording(Sink.in(store, Series.SYSTEM, process), lines, this::header, clock, this::tell);
        this.table = new Recording(
                Sink.in(store, Series.SYSTEM_TABLE, process), rows, _ -> tableHeader(), clock, this::tell);
    }

    /// Records in the run in this storage.
    ///
    /// @param process the name of this process: 1 to 32 lower-case letters and digits
    /// @param processes the pids of the processes to watch, by name; asked before every sample
    /// @param every the time between two samples
    /// @param trouble receives the reason once if figures cannot be read or written, on a thread of the log
    public static SystemLog in(
            BlobStore store,
            String process,
            Supplier<Map<String, Long>> processes,
            Duration every,
            Clock clock,
            Consumer<IOException> trouble) {
        return new SystemLog(OshiMachine::new, store, process, processes, every, clock, trouble, MOST_BYTES);
    }

    @Override
    public void on(TrainingEvent event) {
        if (event instanceof TrainingEvent.Started) {
            begin();
        }
    }

    /// Begins to record, unless it has begun or was closed.
    public void begin() {
        synchronized (lock) {
            if (thread == null && !closing) {
                thread = Thread.ofPlatform().name("cairn-system").daemon(true).start(this::run);
            }
        }
    }

    /// Records a last time. Returns within five seconds, even if the storage hangs.
    @Override
    public void close() {
        Thread recording;
        synchronized (lock) {
            closing = true;
            lock.notifyAll();
            recording = thread;
        }
        if (recording != null) {
            try {
                recording.join(LAST_PATIENCE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run() {
        try {
            var sampler =
                    new Sampler(machine.get(), clock, ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime);
            cores = sampler.cores();
            long began = clock.nanos();
            for (long number = 1; ; number++) {
                boolean last = awaitUntil(began + number * every.toNanos());
                SystemSample sample = sampler.sample(processes.get());
                if (!last || sample.seconds() >= LEAST_SECONDS) {
                    add(sample);
                }
                if (lines.hasNew() && (last || !samples.isDear() || samples.isOlderThan(DEAR_PAUSE))) {
                    write();
                }
                if (last) {
                    return;
                }
            }
        } catch (RuntimeException | Error e) { // of native code too: no figures are worth a training
            tell(new IOException("this machine's figures cannot be read", e));
        }
    }

    /// Waits until this time, or until the end.
    ///
    /// @return whether the end has come
    private boolean awaitUntil(long nanos) {
        synchronized (lock) {
            try {
                for (long left = nanos - clock.nanos(); left > 0 && !closing; left = nanos - clock.nanos()) {
                    Duration pause = Duration.ofNanos(left);
                    lock.wait(pause.toMillis(), pause.toNanosPart() % 1_000_000);
                }
            } catch (InterruptedException nobodyDoes) {
                return true;
            }
            return closing;
        }
    }

    private void add(SystemSample sample) {
        lines.add(SampleJson.SAMPLE, (SampleJson.write(sample) + "\n").getBytes(UTF_8));
        rows.add(SampleJson.SAMPLE, DstatTable.row(sample, cores).getBytes(UTF_8));
    }

    private void write() {
        if (samples.write()) {
            table.write(samples.attempt().orElse(1));
        }
    }

    private byte[] header(long attempt) {
        return (Header.of(VERSION, attempt, process, clock)
                                .put("cores", cores)
                                .put("everySeconds", every.toNanos() / 1e9)
                        + "\n")
                .getBytes(UTF_8);
    }

    private byte[] tableHeader() {
        return DstatTable.header(Header.hostName(), System.getProperty("user.name", ""), clock.now())
                .getBytes(UTF_8);
    }

    private void tell(IOException reason) {
        if (!told) {
            told = true;
            trouble.accept(reason);
        }
    }
}
