package dev.cairn.bench.checkpoint;

import dev.cairn.bench.FreshProcess;
import dev.cairn.bench.Medians;
import dev.cairn.bench.PageCache;
import dev.cairn.bench.Row;
import dev.cairn.disk.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/// Measurements in fresh processes, in which nothing is compiled and no file is in the system's cache: the first saves,
/// and restores as after a crash of the machine. Each figure is the median of a few processes.
final class FreshRows {
    private static final int PROCESSES = 3;

    /// From this save on, saves have their final speed.
    private static final int WARM_FROM = 5;

    private final Path folder;
    private final double memcpyNanos;

    /// @param folder where processes may write
    FreshRows(Path folder, double memcpyNanos) {
        this.folder = folder;
        this.memcpyNanos = memcpyNanos;
    }

    /// The rows `first.…` of a codec.
    List<Row> firstSaves(String name, String codec, int threads) throws IOException {
        double[] bases = new double[PROCESSES];
        double[] deltas = new double[PROCESSES];
        for (int i = 0; i < PROCESSES; i++) {
            Path run = Files.createTempDirectory(folder, "first-");
            List<Long> nanos =
                    FreshProcess.numbers(folder, FirstSaves.class, run.toString(), codec, Integer.toString(threads));
            double[] warm = IntStream.range(WARM_FROM, nanos.size())
                    .mapToDouble(nanos::get)
                    .toArray();
            bases[i] = nanos.getFirst() / memcpyNanos;
            deltas[i] = nanos.get(1) / Medians.of(warm).median();
            Folders.delete(run);
        }
        return List.of(
                Row.plain(name + ".base", Medians.of(bases).median(), "x memcpy"),
                Row.atMost(name + ".delta", Medians.of(deltas).median(), "x a warm one", 3, 2));
    }

    /// The time of a restore of this run, in units of `memcpy`.
    double coldRestore(Path run) throws IOException {
        double[] units = new double[PROCESSES];
        for (int i = 0; i < PROCESSES; i++) {
            PageCache.forget(run);
            units[i] = FreshProcess.numbers(folder, ColdRestore.class, run.toString())
                            .getFirst()
                    / memcpyNanos;
        }
        return Medians.of(units).median();
    }
}
