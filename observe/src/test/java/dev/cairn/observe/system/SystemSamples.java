package dev.cairn.observe.system;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Made-up samples.
final class SystemSamples {
    static final Instant TIME = Instant.parse("2026-11-18T10:00:01Z");

    private SystemSamples() {}

    static SystemSample sample(String top) {
        return new SystemSample(
                TIME,
                1,
                new CpuUse(0.5, 0.125, 0.25, 0.0625, 0.01, 0.02, 0.0325),
                new ByteRates(4096, 8192),
                new ByteRates(100, 200),
                new MemoryUse(1000, 2000, 300, 400),
                Optional.of(new ProcessUse(top, 12, 2, 77, ByteRates.UNKNOWN)),
                Optional.of(new ProcessUse(top, 12, 2, 77, ByteRates.UNKNOWN)),
                List.of(new ProcessUse("w0", 34, 1.5, 5_000_000_000L, new ByteRates(0, 12))));
    }
}
