package dev.cairn.bench.codec;

import dev.cairn.bench.Bench;
import dev.cairn.bench.MlpRun;
import dev.cairn.bench.Row;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.Yardstick;
import dev.cairn.codec.ElementType;
import dev.cairn.codec.block.ExactEncoder;
import dev.cairn.codec.block.LossyEncoder;
import dev.cairn.codec.lossy.PatternedQuantizer;
import dev.cairn.codec.lossy.TableQuantizer;
import dev.cairn.codec.lossy.TableQuantizer.Scheme;
import dev.cairn.codec.lossy.kernel.UniformSetting;
import dev.cairn.codec.pattern.AmountFinder;
import dev.cairn.codec.pattern.MatrixPatterns;
import dev.cairn.codec.pattern.PatternBlock;
import dev.cairn.codec.pattern.PatternSearch;
import dev.cairn.codec.pattern.Patterns;
import dev.cairn.train.data.ImageSet;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/// The figures of `cairn bench codec`.
public final class CodecBench implements Bench {
    private static final List<Integer> WIDTHS = List.of(784, 2048, 2048, 10);

    /// The matrix with which speeds are measured, and the length of its rows.
    private static final String MATRIX = "fc2.weight";

    private static final int COLUMNS = 2048;
    private static final int BASE = 100;
    private static final int DELTAS = 50;
    private static final int EVERY = 10;
    private static final int NOT_COUNTED = 10;
    private static final int LOSSLESS_STEPS = 20;
    private static final int SEEDS = 10;

    /// The target of the rows `lossy.*`; those of `state.*` have the product's default.
    private static final double LOSSY_TARGET = 0.5;

    /// A uniform step for an error of half the change, in units of the deltas' root mean square.
    private static final double STEP_OF_RMS = 2.07;

    private final ImageSet data;
    private final Path folder;
    private final Consumer<String> progress;
    private final int threads;
    private final List<Row> rows = new ArrayList<>();
    private double memcpyBytesPerSecond;

    /// @param folder where the benchmark may write
    public CodecBench(ImageSet data, Path folder, int threads, Consumer<String> progress) {
        this.data = data;
        this.folder = folder;
        this.threads = threads;
        this.progress = progress;
    }

    @Override
    public double memcpyBytesPerSecond() {
        return memcpyBytesPerSecond;
    }

    @Override
    public String note() {
        return ("rows lossy.* at uq:%s, state.* at lossy, %s, state+m.* at lossy+m, %s; sizes with records and their "
                        + "twins; speeds on one thread of a warm process, *.2t on two; the training has %d (docs/BENCH.md)")
                .formatted(
                        LOSSY_TARGET,
                        Codec.parse("lossy").text(),
                        Codec.parse("lossy+m").text(),
                        threads);
    }

    @Override
    public List<Row> run() throws IOException {
        sizes("adam", MlpRun.Optimizer.ADAM, 0.9, 0.75);
        sizes("momentum", MlpRun.Optimizer.MOMENTUM, 0.9, 0.5);
        states();
        return rows;
    }

    private void sizes(String name, MlpRun.Optimizer optimizer, double must, double aim) throws IOException {
        try (var run = new MlpRun(data, WIDTHS, optimizer, 1, threads);
                var arena = Arena.ofConfined()) {
            run.trainTo(BASE);
            MemorySegment parent;
            try (var lossy = new SizeBench(folder, new Codec.Uniform(LOSSY_TARGET), run);
                    var lc3 = new SizeBench(folder, new Codec.Exponent(3), run);
                    var lossless = new SizeBench(folder, new Codec.Lossless(), run)) {
                lossy.save(BASE, false);
                lc3.save(BASE, false);
                lossless.save(BASE, false);
                parent = lossy.live().weights(arena, MATRIX);
                for (int delta = 1; delta <= DELTAS; delta++) {
                    parent = delta == DELTAS ? lossy.live().weights(arena, MATRIX) : parent;
                    long step = BASE + (long) delta * EVERY;
                    run.trainTo(step);
                    boolean counts = delta > NOT_COUNTED;
                    lossy.save(step, counts);
                    lc3.save(step, counts);
                    if (name.equals("adam")) {
                        lossless.save(step, counts);
                    }
                    progress.accept("sizes with %s: delta %d of %d".formatted(name, delta, DELTAS));
                }
                rows.add(Row.atMost("lossy." + name + ".bits", lossy.bits(), "bits/parameter", must, aim));
                rows.add(Row.atMost("lossy." + name + ".error", lossy.errorPerStep(), "E/step", 0.55, 0.5));
                rows.add(Row.plain("lc3." + name + ".bits", lc3.bits(), "bits/parameter"));
                rows.add(Row.plain("lc3." + name + ".error", lc3.errorPerStep(), "E/step"));
                if (name.equals("adam")) {
                    rows.add(Row.atLeast("lossless.k10", 32 / lossless.bits(), "x", 1.65, 1.85));
                    speeds(lossy.live().weights(arena, MATRIX), parent);
                    everyStep(run);
                }
            }
        }
    }

    private void everyStep(MlpRun run) throws IOException {
        try (var lossless = new SizeBench(folder, new Codec.Lossless(), run)) {
            lossless.save(run.step(), false);
            for (int i = 0; i < LOSSLESS_STEPS; i++) {
                run.trainTo(run.step() + 1);
                lossless.save(run.step(), true);
            }
            rows.add(Row.atLeast("lossless.k1", 32 / lossless.bits(), "x", 1.9, 2.1));
        }
    }

    private void speeds(MemorySegment live, MemorySegment parent) throws IOException {
        progress.accept("speeds");
        var setting = UniformSetting.ofStep((float) (STEP_OF_RMS * rms(live, parent)));
        try (var bench = new SpeedBench(live, parent)) {
            var type = ElementType.FLOAT32;
            Patterns patterns = patterns(live, parent);
            var matrix = new MatrixPatterns(patterns, 0);
            var lossy = bench.measure(List.of(patterns), tables -> {
                var rest = new TableQuantizer(type, new Scheme.Uniform(setting), tables);
                var amounts = new PatternBlock(tables);
                return new LossyEncoder(
                        type,
                        new PatternedQuantizer(rest, new AmountFinder(), amounts, matrix, setting.step()),
                        tables);
            });
            var lc3 = bench.measure(
                    tables -> new LossyEncoder(type, new TableQuantizer(type, new Scheme.Exponent(3), tables), tables));
            var lossless = bench.measure(tables -> new ExactEncoder(type, ExactEncoder.Basis.REFERENCE, tables));
            double[] zstd = bench.zstd();
            rows.add(Row.atLeast("lossy.encode", lossy.encode(), "x memcpy", 0.12, 0.35));
            rows.add(Row.atLeast("lossy.decode", lossy.decode(), "x memcpy", 0.28, 0.65));
            rows.add(Row.atLeast("lossy.encode.2t", lossy.encodeOnTwo(), "x memcpy", 0.22, 0.60));
            rows.add(Row.atLeast("lossy.decode.2t", lossy.decodeOnTwo(), "x memcpy", 0.5, 1.1));
            rows.add(Row.plain("lc3.encode", lc3.encode(), "x memcpy"));
            rows.add(Row.plain("lc3.decode", lc3.decode(), "x memcpy"));
            rows.add(Row.atLeast("lossless.encode", lossless.encode() / zstd[0], "x zstd-1", 1.5, 5));
            rows.add(Row.atLeast("lossless.decode", lossless.decode() / zstd[1], "x zstd-1", 1.5, 5));
            memcpyBytesPerSecond = bench.memcpyBytesPerSecond();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private void states() throws IOException {
        var codecs = List.of(Codec.parse("lossy"), Codec.parse("lossy+m"), Yardstick.parse("excp"));
        var bench = new StateBench(data, folder, MlpRun.Optimizer.ADAM, threads);
        double[] factors = new double[codecs.size()];
        double[] gaps = new double[codecs.size()];
        for (int seed = 1; seed <= SEEDS; seed++) {
            progress.accept("whole Adam state: seed %d of %d".formatted(seed, SEEDS));
            List<StateBench.Outcome> outcomes = bench.run(codecs, seed);
            for (int i = 0; i < outcomes.size(); i++) {
                factors[i] += outcomes.get(i).factor() / SEEDS;
                gaps[i] += outcomes.get(i).gap() / SEEDS;
            }
        }
        rows.add(Row.atLeast("state.adam.factor", factors[0], "x", 75, 90));
        rows.add(Row.atMost("state.adam.gap", gaps[0], "test loss", 0.002, 0.001));
        rows.add(Row.atLeast("state+m.adam.factor", factors[1], "x", 20, 30));
        rows.add(Row.atMost("state+m.adam.gap", gaps[1], "test loss", 0.002, 0.001));
        rows.add(Row.plain("excp.adam.factor", factors[2], "x"));
        rows.add(Row.plain("excp.adam.gap", gaps[2], "test loss"));
    }

    /// The patterns of every eighth row.
    private static Patterns patterns(MemorySegment live, MemorySegment parent) {
        int rows = (int) (live.byteSize() / Float.BYTES / COLUMNS);
        PatternSearch.Result found = new PatternSearch(COLUMNS)
                .next(everyEighth(live, parent, rows, 0), everyEighth(live, parent, rows, 1), rows);
        if (found == null) {
            throw new IllegalStateException("the matrix has no patterns");
        }
        return found.patterns();
    }

    private static PatternSearch.Rows everyEighth(MemorySegment live, MemorySegment parent, int rows, int first) {
        float[] deltas = new float[rows / 8 * COLUMNS];
        for (int i = 0; i < deltas.length; i++) {
            long at = (i / COLUMNS * 8L + first) * COLUMNS + i % COLUMNS;
            deltas[i] = live.getAtIndex(ValueLayout.JAVA_FLOAT, at) - parent.getAtIndex(ValueLayout.JAVA_FLOAT, at);
        }
        return new PatternSearch.Rows(deltas, rows / 8);
    }

    private static double rms(MemorySegment one, MemorySegment other) {
        double squares = 0;
        long count = one.byteSize() / Float.BYTES;
        for (long i = 0; i < count; i++) {
            double difference =
                    (double) one.getAtIndex(ValueLayout.JAVA_FLOAT, i) - other.getAtIndex(ValueLayout.JAVA_FLOAT, i);
            squares += difference * difference;
        }
        return Math.sqrt(squares / count);
    }
}
