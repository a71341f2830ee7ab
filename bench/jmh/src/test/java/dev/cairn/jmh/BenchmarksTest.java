package dev.cairn.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.lossy.StageBenchmark;
import java.util.Arrays;
import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/// Every benchmark runs, so none can rot. What it measures here is worth nothing.
class BenchmarksTest {
    @Test
    void everyBenchmarkRunsAndHasARowBesideItsYardstick() throws RunnerException {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include("dev.cairn")
                        .param("megabytes", "1")
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(1))
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();
        var table = RatioTable.of(results);
        assertThat(table.rows())
                .hasSize(2 * Contender.values().length
                        + methods(ChecksumBenchmark.class)
                        + methods(StageBenchmark.class))
                .allSatisfy(row -> assertThat(row.bytesPerSecond()).isPositive());
        assertThat(table.rows().stream().filter(RatioTable.Row::isYardstick).map(RatioTable.Row::name))
                .containsExactly("memcpy", "memcpy.encode", "memcpy.decode", "memcpy");
    }

    private static int methods(Class<?> benchmarks) {
        return (int) Arrays.stream(benchmarks.getMethods())
                .filter(method -> method.isAnnotationPresent(Benchmark.class))
                .count();
    }
}
