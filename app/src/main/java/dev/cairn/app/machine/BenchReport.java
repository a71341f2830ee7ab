package dev.cairn.app.machine;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Quantities;
import dev.cairn.bench.Bench;
import dev.cairn.bench.Row;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The results of a benchmark, for people and for scripts.
///
/// @param bench the benchmark, after its run
/// @param data the data set of the measurement; null if the benchmark uses none
record BenchReport(List<Row> rows, Bench bench, @Nullable String data) {
    ObjectNode document() {
        ObjectNode document = Json.object();
        var list = document.putArray("rows");
        for (Row row : rows) {
            list.addObject()
                    .put("name", row.name())
                    .put("value", row.value())
                    .put("unit", row.unit())
                    .put("must", row.must())
                    .put("aim", row.aim())
                    .put("ok", row.ok());
        }
        document.put("memcpyBytesPerSecond", bench.memcpyBytesPerSecond());
        if (data != null) {
            document.put("data", data);
        }
        return document.put("note", bench.note());
    }

    void print(PrintWriter out) {
        String format = "%-22s %10s  %-15s %8s %8s  %s%n";
        out.printf(format, "row", "value", "unit", "must", "aim", "ok");
        for (Row row : rows) {
            out.printf(
                    format,
                    row.name(),
                    number(row.value()),
                    row.unit(),
                    number(row.must()),
                    number(row.aim()),
                    row.must() == null ? "" : row.ok() ? "yes" : "NO");
        }
        out.printf(
                "memcpy %s/s; %s%s%n",
                Quantities.bytes((long) bench.memcpyBytesPerSecond()),
                data == null ? "" : "data: " + data + "; ",
                bench.note());
        if ("digits".equals(data)) {
            out.println(
                    "MNIST was not found: sizes and errors are those of 'digits', for which the limits were not set");
        }
    }

    private static String number(@Nullable Double value) {
        return value == null ? "–" : String.format(Locale.ROOT, "%.4g", value);
    }
}
