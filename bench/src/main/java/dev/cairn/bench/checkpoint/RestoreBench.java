package dev.cairn.bench.checkpoint;

import dev.cairn.bench.Bench;
import dev.cairn.bench.MlpRun;
import dev.cairn.bench.PageCache;
import dev.cairn.bench.Row;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Codec;
import dev.cairn.train.data.ImageSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// The figures of `cairn bench restore`: those restores of `cairn bench checkpoint` that users have, in a minute. To be
/// compared with what other programs take to load a state of the same size.
public final class RestoreBench implements Bench {
    private static final String UNIT = "x memcpy";

    private final ImageSet data;
    private final Path folder;
    private final int threads;
    private final Consumer<String> progress;
    private double memcpyBytesPerSecond;

    /// @param folder where the benchmark may write
    /// @param threads of the training
    public RestoreBench(ImageSet data, Path folder, int threads, Consumer<String> progress) {
        this.data = data;
        this.folder = folder;
        this.threads = threads;
        this.progress = progress;
    }

    @Override
    public List<Row> run() throws IOException {
        var rows = new ArrayList<Row>();
        Path lossless = Files.createTempDirectory(folder, "default-");
        Path lossy = Files.createTempDirectory(folder, "lossy-");
        try (var state = new AdamState();
                var restored = new AdamState()) {
            save(lossless, lossy, state);
            var watch = new Stopwatch(state, restored);
            new Restores(progress)
                    .withNewest("restore.default", lossless)
                    .withNewest("restore.lossy", lossy)
                    .time(watch, restored);
            memcpyBytesPerSecond = watch.memcpyBytesPerSecond();
            rows.add(Row.plain("restore.default", watch.units("restore.default"), UNIT));
            rows.add(Row.plain("restore.lossy", watch.units("restore.lossy"), UNIT));
            if (PageCache.canForget(folder)) {
                progress.accept("fresh processes");
                var fresh = new FreshRows(folder, watch.memcpyNanos());
                rows.add(Row.plain("restore.default.cold", fresh.coldRestore(lossless), UNIT));
                rows.add(Row.plain("restore.lossy.cold", fresh.coldRestore(lossy), UNIT));
            }
        }
        return rows;
    }

    /// Saves as often as it takes for chains to be as long as they get.
    private void save(Path lossless, Path lossy, AdamState state) throws IOException {
        int usualChain = CheckpointOptions.defaults().encoding().longestChain();
        try (var training = new MlpRun(data, CheckpointBench.WIDTHS, MlpRun.Optimizer.ADAM, 1, threads);
                var exact = Runs.open(lossless, new Codec.Lossless(), usualChain);
                var quantized = Runs.open(lossy, Runs.LOSSY, usualChain)) {
            training.trainTo(CheckpointBench.WARM_UP_STEPS);
            for (int step = 0; step <= 2 * usualChain; step++) {
                progress.accept("save %d of %d".formatted(step, 2 * usualChain));
                state.copyFrom(training);
                Runs.save(exact, step, state);
                Runs.save(quantized, step, state);
                exact.awaitHousekeeping();
                quantized.awaitHousekeeping();
                training.trainTo(training.step() + CheckpointBench.EVERY);
            }
        }
    }

    @Override
    public double memcpyBytesPerSecond() {
        return memcpyBytesPerSecond;
    }

    @Override
    public String note() {
        return "a 256 MB Adam state, medians; restore.default: lossless; restore.lossy: %s; on up to %d threads; from the "
                        .formatted(
                                Runs.LOSSY.text(),
                                Math.min(8, Runtime.getRuntime().availableProcessors()))
                + "system's cache in a warm process, and *.cold from the disk in fresh ones (docs/BENCH.md)";
    }
}
