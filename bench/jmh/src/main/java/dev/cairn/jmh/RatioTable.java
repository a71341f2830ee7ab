package dev.cairn.jmh;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/// Results as speeds, and as multiples of the `memcpy` of the same group. A speed is that of the fastest
/// iteration, in bytes of live values.
record RatioTable(List<Row> rows) {
    private static final String YARDSTICK = "memcpy";

    /// One benchmark.
    ///
    /// @param group the class, without "Benchmark"
    /// @param name the method, or contender and method
    /// @param kind what has a yardstick of its own within the group: the method of contenders, otherwise nothing
    /// @param noise by how much the median iteration was slower than the fastest, as a share
    /// @param bits bits a value, or NaN where nothing is encoded
    record Row(String group, String name, String kind, double bytesPerSecond, double noise, double bits) {
        boolean isYardstick() {
            return name.equals(kind.isEmpty() ? YARDSTICK : YARDSTICK + "." + kind);
        }
    }

    /// In JMH's order, but with encoding before decoding and every yardstick before what it measures.
    static RatioTable of(Collection<RunResult> results) {
        List<Row> rows = new ArrayList<>();
        for (RunResult result : results) {
            rows.add(row(result));
        }
        rows.sort(Comparator.comparing(Row::group)
                .thenComparing(Row::kind, Comparator.reverseOrder())
                .thenComparing(row -> !row.isYardstick()));
        return new RatioTable(rows);
    }

    String text() {
        var text = new StringBuilder(
                "\n%-34s %8s %9s %7s %11s%n".formatted("benchmark", "GB/s", "x memcpy", "noise", "bits/value"));
        Map<String, Double> yardsticks = new TreeMap<>();
        for (Row row : rows) {
            if (row.isYardstick()) {
                yardsticks.put(row.group + row.kind, row.bytesPerSecond);
            }
        }
        for (Row row : rows) {
            double ratio = row.bytesPerSecond / yardsticks.getOrDefault(row.group + row.kind, Double.NaN);
            text.append("%-34s %8.3f %9s %6.0f%% %11s%n"
                    .formatted(
                            row.group + " " + row.name,
                            row.bytesPerSecond / 1e9,
                            number(ratio, "%.3f"),
                            100 * row.noise,
                            number(row.bits, "%.2f")));
        }
        return text.toString();
    }

    private static String number(double value, String format) {
        return Double.isNaN(value) ? "" : format.formatted(value);
    }

    private static Row row(RunResult result) {
        String[] path = result.getParams().getBenchmark().split("\\.", -1);
        String method = path[path.length - 1];
        String group = path[path.length - 2].replace("Benchmark", "").toLowerCase(Locale.ROOT);
        double[] millis = result.getBenchmarkResults().stream()
                .map(BenchmarkResult::getIterationResults)
                .flatMap(Collection::stream)
                .mapToDouble(iteration -> iteration.getPrimaryResult().getScore())
                .sorted()
                .toArray();
        double fastest = millis[0];
        double bytes = Double.parseDouble(result.getParams().getParam("megabytes")) * (1 << 20);
        boolean contended = result.getParams().getParamsKeys().contains("codec");
        return new Row(
                group,
                contended ? contender(result) + "." + method : method,
                contended ? method : "",
                bytes / (fastest / 1e3),
                millis[millis.length / 2] / fastest - 1,
                bitsPerValue(result));
    }

    private static double bitsPerValue(RunResult result) {
        Result<?> bytes = result.getSecondaryResults().get("encodedBytes");
        Result<?> values = result.getSecondaryResults().get("values");
        return bytes == null || values == null ? Double.NaN : 8 * bytes.getScore() / values.getScore();
    }

    private static String contender(RunResult result) {
        return result.getParams().getParam("codec").toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
