package dev.cairn.codec;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Two implementations of the same loops. Not thread-safe, as they need not be.
///
/// @param <K> what both are
public final class Twins<K> {
    private final K scalar;
    private final Supplier<? extends K> maker;
    private @Nullable K vector;

    /// Both of them.
    ///
    /// @param vector made when a loop of it is hot
    public Twins(K scalar, Supplier<? extends K> vector) {
        this.scalar = scalar;
        this.maker = vector;
    }

    /// The one that is to run this loop now.
    ///
    /// @param bytes how much there is to do
    public K of(VectorLoop loop, long bytes) {
        if (!loop.isHot(bytes)) {
            return scalar;
        }
        K made = vector == null ? maker.get() : vector;
        vector = made;
        return made;
    }
}
