package dev.cairn.bench.checkpoint;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Times by name, in units of one `memcpy` of the state. The `memcpy` is measured between the others, so that other
/// load on the machine slows down both. All figures are medians.
final class Stopwatch {
    private static final String MEMCPY = "memcpy";

    private final AdamState from;
    private final AdamState to;
    private final Map<String, List<Long>> nanos = new HashMap<>();

    /// @param to overwritten by each `memcpy`
    Stopwatch(AdamState from, AdamState to) {
        this.from = from;
        this.to = to;
    }

    interface Work {
        void run() throws IOException;
    }

    /// Adds a time of this name, and measures a `memcpy` with it.
    void time(String name, Work work) throws IOException {
        record(MEMCPY, () -> to.copyFrom(from));
        record(name, work);
    }

    private void record(String name, Work work) throws IOException {
        long start = System.nanoTime();
        work.run();
        nanos.computeIfAbsent(name, _ -> new ArrayList<>()).add(System.nanoTime() - start);
    }

    /// The median time of this name, in units of the median `memcpy`.
    double units(String name) {
        return median(name) / median(MEMCPY);
    }

    double memcpyNanos() {
        return median(MEMCPY);
    }

    double memcpyBytesPerSecond() {
        return AdamState.sizeBytes() / (median(MEMCPY) / 1e9);
    }

    private double median(String name) {
        long[] sorted = nanos.getOrDefault(name, List.of()).stream()
                .mapToLong(Long::longValue)
                .sorted()
                .toArray();
        if (sorted.length == 0) {
            throw new IllegalStateException("nothing was timed as " + name);
        }
        return (sorted[sorted.length / 2] + sorted[(sorted.length - 1) / 2]) / 2.0;
    }
}
