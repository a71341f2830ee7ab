package dev.cairn.observe.system;

import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A value that is read only as often as its reading may take time: the more it takes, the less often. Not
/// thread-safe.
final class Seldom<T> {
    private final Supplier<T> source;
    private final LongSupplier spentNanos;
    private final double share;
    private @Nullable T value;
    private long readNanos;
    private double costNanos;

    /// @param spentNanos how much CPU time this thread has used
    /// @param share how much of a core the reading may keep busy
    Seldom(Supplier<T> source, LongSupplier spentNanos, double share) {
        this.source = source;
        this.spentNanos = spentNanos;
        this.share = share;
    }

    /// Returns the value, which may be of an earlier time.
    T at(long nanos) {
        T known = value;
        if (known != null && (nanos - readNanos) * share < costNanos) {
            return known;
        }
        long before = spentNanos.getAsLong();
        T read = source.get();
        costNanos = spentNanos.getAsLong() - before;
        value = read;
        readNanos = nanos;
        return read;
    }

    /// When the value was read.
    long readNanos() {
        return readNanos;
    }
}
