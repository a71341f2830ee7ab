package dev.cairn.bench.checkpoint;

import dev.cairn.bench.Bench;
import dev.cairn.bench.MlpRun;
import dev.cairn.bench.PageCache;
import dev.cairn.bench.Row;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Codec;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.right.WriterLock;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.store.writing.Merger;
import dev.cairn.train.data.ImageSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// The figures of `cairn bench checkpoint`: the cost of saving and restoring a 256 MB state, and the size of a run on
/// disk. All figures come from one training. Every five steps its state is saved, unchanged for `store.factor` and
/// tiled to 256 MB for the others.
public final class CheckpointBench implements Bench {
    static final List<Integer> WIDTHS = List.of(784, 2048, 2048, 10);
    static final int WARM_UP_STEPS = 100;
    static final int EVERY = 5;
    private static final int SAVES = 200;
    private static final int LONG_CHAIN = 50;
    private static final int REPETITIONS = 7;
    private static final int PAIRS = 30;
    private static final String UNIT = "x memcpy";

    /// The time that safetensors needs to load a state of this size from the cache, in the same unit.
    private static final double SAFETENSORS_LOAD = 14.7;

    /// Four for each of the nine checkpoints of the chain, whose deltas decode no faster than a base.
    private static final double NINE_STATES = 36;

    private final ImageSet data;
    private final Path folder;
    private final int threads;
    private final Consumer<String> progress;
    private double memcpyBytesPerSecond;
    private boolean cold;

    /// @param folder where the benchmark may write
    /// @param threads of the training
    public CheckpointBench(ImageSet data, Path folder, int threads, Consumer<String> progress) {
        this.data = data;
        this.folder = folder;
        this.threads = threads;
        this.progress = progress;
    }

    @Override
    public List<Row> run() throws IOException {
        var rows = new ArrayList<Row>();
        cold = PageCache.canForget(folder);
        // First, as in a training, which has done nothing else before: what follows takes gigabytes and much code.
        var options = CheckpointOptions.defaults().withCodec(Runs.LOSSY);
        rows.addAll(LoopBench.rows(data, folder, options, threads, PAIRS, progress));
        progress.accept("stalls");
        rows.addAll(StallBench.rows(data, folder, threads));
        try (var training = new MlpRun(data, WIDTHS, MlpRun.Optimizer.ADAM, 1, threads);
                var state = new AdamState();
                var restored = new AdamState()) {
            training.trainTo(WARM_UP_STEPS);
            state.copyFrom(training);
            var watch = new Stopwatch(state, restored);
            raw(watch, state, restored);
            bases(watch, state);
            progress.accept("parity");
            List<Row> parity = ParityBench.rows(watch, folder, state);
            double factor = chains(watch, training, state, restored);
            Path lossless = defaults(watch, training, state, restored);
            double write = watch.units("write.raw");
            rows.add(Row.plain("write.raw", write, UNIT));
            rows.add(Row.plain("read.raw", watch.units("read.raw"), UNIT));
            if (cold) {
                rows.add(Row.plain("read.raw.cold", watch.units("read.raw.cold"), UNIT));
            }
            rows.add(Row.atMost("durable.base", watch.units("durable.base"), UNIT, 1.5 * write, 1.1 * write));
            rows.add(Row.atMost("durable.delta", watch.units("durable.delta"), UNIT, 1.5 * write, write));
            rows.add(Row.atMost("durable.lossy.delta", watch.units("durable.lossy.delta"), UNIT, write, 0.6 * write));
            rows.addAll(parity);
            rows.add(Row.plain("restore.base", watch.units("restore.base"), UNIT));
            rows.add(
                    Row.atMost("restore.default", watch.units("restore.default"), UNIT, NINE_STATES, SAFETENSORS_LOAD));
            rows.add(Row.atMost("restore.lossy", watch.units("restore.lossy"), UNIT, 10, 6));
            rows.add(Row.atMost("restore.chain50", watch.units("restore.chain50"), UNIT, 60, 25));
            double base = watch.units("restore.base");
            rows.add(Row.atMost("restore.merged", watch.units("restore.merged"), UNIT, 1.4 * base, 1.1 * base));
            rows.add(ScrubBench.row(lossless));
            rows.add(Row.atLeast("store.factor", factor, "x", 15, 30));
            memcpyBytesPerSecond = watch.memcpyBytesPerSecond();
            progress.accept("fresh processes");
            var fresh = new FreshRows(folder, watch.memcpyNanos());
            if (cold) {
                rows.add(Row.plain("restore.default.cold", fresh.coldRestore(lossless), UNIT));
            }
            rows.addAll(fresh.firstSaves("first", "lossless", threads));
            rows.addAll(fresh.firstSaves("first.lossy", "lossy", threads));
        }
        return rows;
    }

    @Override
    public double memcpyBytesPerSecond() {
        return memcpyBytesPerSecond;
    }

    @Override
    public String note() {
        var usual = CheckpointOptions.defaults();
        return ("a 256 MB Adam state, medians, %d threads saving, chains of %d; *.default, durable.base and durable.delta: "
                        + "lossless; *.lossy*, loop.*, restore.base, .chain50, .merged and store.factor: lossy, %s; restore.*: "
                        + "from the system's cache on up to %d threads of a warm process; restore.default.cold and first.*: fresh processes; "
                        + "%s (docs/BENCH.md)")
                .formatted(
                        usual.resources().saveThreads(),
                        usual.encoding().longestChain(),
                        Runs.LOSSY.text(),
                        Math.min(8, Runtime.getRuntime().availableProcessors()),
                        cold
                                ? "*.cold with the files found to be in no cache"
                                : "no *.cold, as the system keeps files of the temporary folder in its cache");
    }

    private void raw(Stopwatch watch, AdamState state, AdamState restored) throws IOException {
        progress.accept("plain files");
        var file = new RawFile(folder);
        for (int i = 0; i < REPETITIONS; i++) {
            file.delete();
            watch.time("write.raw", () -> file.write(state));
            watch.time("read.raw", () -> file.read(restored));
            if (cold) {
                PageCache.forget(file.path());
                watch.time("read.raw.cold", () -> file.read(restored));
            }
        }
        file.delete();
    }

    private void bases(Stopwatch watch, AdamState state) throws IOException {
        Path run = Files.createTempDirectory(folder, "bases-");
        try (var checkpoints = Runs.open(run, new Codec.Lossless(), 0)) {
            Runs.save(checkpoints, 0, state);
            for (int i = 1; i <= REPETITIONS; i++) {
                progress.accept("base %d of %d".formatted(i, REPETITIONS));
                int step = i;
                watch.time("durable.base", () -> Runs.save(checkpoints, step, state));
                checkpoints.awaitHousekeeping();
            }
        }
    }

    /// Times a chain of the tiled state while the training itself is saved; returns the factor of the latter.
    private double chains(Stopwatch watch, MlpRun training, AdamState state, AdamState restored) throws IOException {
        int usualChain = CheckpointOptions.defaults().encoding().longestChain();
        Path run = Files.createTempDirectory(folder, "run-");
        long fullBytes = training.tensors().stream()
                .mapToLong(tensor -> tensor.memory().byteSize())
                .sum();
        Path chain = Files.createTempDirectory(folder, "chain-");
        Path usual = Files.createTempDirectory(folder, "usual-");
        // A base, a merged checkpoint, and as many deltas as may follow it: one more, and they would be merged, too.
        int longest = 2 * usualChain;
        try (var whole = Runs.open(run, Runs.LOSSY, usualChain)) {
            try (var checkpoints = Runs.open(chain, Runs.LOSSY, LONG_CHAIN);
                    var merging = Runs.open(usual, Runs.LOSSY, usualChain)) {
                for (int delta = 0; delta <= LONG_CHAIN; delta++) {
                    progress.accept("chain: %d of %d".formatted(delta, LONG_CHAIN));
                    int step = delta;
                    Runs.save(whole, step, training);
                    whole.awaitHousekeeping();
                    state.copyFrom(training);
                    watch.time(delta == 0 ? "first" : "durable.lossy.delta", () -> Runs.save(checkpoints, step, state));
                    checkpoints.awaitHousekeeping();
                    if (delta <= longest) {
                        Runs.save(merging, step, state);
                        merging.awaitHousekeeping();
                    }
                    training.trainTo(training.step() + EVERY);
                }
            }
            restores(watch, chain, usual, restored);
            for (int step = LONG_CHAIN + 1; step < SAVES; step++) {
                progress.accept("run: save %d of %d".formatted(step, SAVES));
                Runs.save(whole, step, training);
                training.trainTo(training.step() + EVERY);
            }
            whole.awaitHousekeeping();
        }
        return (double) SAVES * fullBytes / sizeOf(run);
    }

    /// The same for the default codec, lossless, with the default length of chains. Returns the run.
    private Path defaults(Stopwatch watch, MlpRun training, AdamState state, AdamState into) throws IOException {
        int usualChain = CheckpointOptions.defaults().encoding().longestChain();
        Path run = Files.createTempDirectory(folder, "default-");
        try (var checkpoints = Runs.open(run, new Codec.Lossless(), usualChain)) {
            for (int delta = 0; delta <= 2 * usualChain; delta++) {
                progress.accept("default: %d of %d".formatted(delta, 2 * usualChain));
                int step = delta;
                state.copyFrom(training);
                watch.time(delta == 0 ? "first" : "durable.delta", () -> Runs.save(checkpoints, step, state));
                checkpoints.awaitHousekeeping();
                training.trainTo(training.step() + EVERY);
            }
        }
        new Restores(progress).withNewest("restore.default", run).time(watch, into);
        return run;
    }

    private void restores(Stopwatch watch, Path chain, Path usual, AdamState into) throws IOException {
        var unmerged = new CheckpointStore(new LocalBlobStore(chain));
        List<Commit> checkpoints = Runs.checkpoints(unmerged);
        new Restores(progress)
                .with("restore.base", unmerged, checkpoints.getFirst())
                .withNewest("restore.lossy", usual)
                .with("restore.chain50", unmerged, checkpoints.get(LONG_CHAIN))
                .time(watch, into);
        merge(chain);
        new Restores(progress)
                .with("restore.base", unmerged, checkpoints.getFirst())
                .withNewest("restore.merged", chain)
                .time(watch, into);
    }

    private static void merge(Path run) throws IOException {
        var store = new CheckpointStore(new LocalBlobStore(run));
        try (WriterLock lock = WriterLock.take(run, Instant.now())) {
            new Merger(store, CheckpointWriter.open(store, lock))
                    .merge(Runs.checkpoints(store).getLast());
        }
    }

    private static long sizeOf(Path run) throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.walk(run)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }
}
