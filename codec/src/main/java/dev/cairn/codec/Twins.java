package dev.cairn.codec;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A scalar and a vector implementation of the same loops. Not thread-safe, because the implementations need not be.
///
/// @param <K> the type of both implementations
public final class Twins<K> {
    private final K scalar;
    private final Supplier<? extends K> maker;
    private @Nullable K vector;

    /// Creates a pair.
    ///
    /// @param vector creates the vector implementation when one of its loops is hot
    public Twins(K scalar, Supplier<? extends K> vector) {
        this.scalar = scalar;
        this.maker = vector;
    }

    /// Returns the implementation that should run this loop now.
    ///
    /// @param bytes the amount of work
    public K of(VectorLoop loop, long bytes) {
        if (!loop.isHot(bytes)) {
            return scalar;
        }
        K made = vector == null ? maker.get() : vector;
        vector = made;
        return made;
    }
}
