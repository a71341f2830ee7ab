package dev.cairn.observe.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/// Registers meters that all have the same tags. Each is there from the beginning, so that a page that shows it finds
/// it
/// before anything happened.
record Meters(MeterRegistry registry, Tags tags) {
    /// The unit of meters whose numbers are times.
    static final String SECONDS = "seconds";

    /// The unit of meters whose numbers are sizes.
    static final String BYTES = "bytes";

    /// A number that is set from time to time; NaN until then.
    static final class Level {
        private volatile double value = Double.NaN;

        void set(double now) {
            value = now;
        }

        void set(long now) {
            set((double) now);
        }

        double value() {
            return value;
        }
    }

    Level level(String name, @Nullable String unit, String description) {
        var level = new Level();
        Gauge.builder(name, level, Level::value)
                .tags(tags)
                .baseUnit(unit)
                .description(description)
                .strongReference(true)
                .register(registry);
        return level;
    }

    Counter counter(String name, @Nullable String unit, String description, String... more) {
        return Counter.builder(name)
                .tags(tags.and(more))
                .baseUnit(unit)
                .description(description)
                .register(registry);
    }

    Timer timer(String name, String description) {
        return Timer.builder(name).tags(tags).description(description).register(registry);
    }
}
