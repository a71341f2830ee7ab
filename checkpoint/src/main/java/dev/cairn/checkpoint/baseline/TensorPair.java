package dev.cairn.checkpoint.baseline;

import dev.cairn.codec.Reals;
import dev.cairn.store.TensorSpec;
import java.lang.foreign.MemorySegment;

/// A captured tensor, and its values as a reader of the previous checkpoint holds them.
public record TensorPair(TensorSpec spec, MemorySegment live, MemorySegment reference) {
    long elements() {
        return live.byteSize() / spec.type().sizeBytes();
    }

    double value(long i) {
        return Reals.get(spec.type(), live, i);
    }

    double delta(long i) {
        return Reals.get(spec.type(), live, i) - Reals.get(spec.type(), reference, i);
    }
}
