package dev.cairn.store.reading;

import dev.cairn.store.Extent;
import dev.cairn.store.TensorSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// A box of elements of a tensor: an offset and a length in each dimension. A tensor without dimensions has one
/// element, and its only box has no dimensions either.
///
/// @param offset the start in the whole tensor, in each dimension
record Box(List<Long> offset, List<Long> shape) {
    Box {
        offset = List.copyOf(offset);
        shape = List.copyOf(shape);
    }

    /// The box of this tensor within the whole tensor.
    static Box of(TensorSpec spec) {
        Extent extent = spec.extent();
        return new Box(extent == null ? Collections.nCopies(spec.shape().size(), 0L) : extent.offset(), spec.shape());
    }

    boolean isEmpty() {
        return shape.contains(0L);
    }

    /// The elements that both boxes have; empty if there are none.
    Optional<Box> intersection(Box other) {
        var begin = new ArrayList<Long>();
        var length = new ArrayList<Long>();
        for (int d = 0; d < shape.size(); d++) {
            long from = Math.max(offset.get(d), other.offset.get(d));
            long to = Math.min(end(d), other.end(d));
            if (from >= to) {
                return Optional.empty();
            }
            begin.add(from);
            length.add(to - from);
        }
        return Optional.of(new Box(begin, length));
    }

    /// The rest of this box without the other one, as boxes that do not overlap: at most two for each dimension.
    List<Box> without(Box other) {
        Optional<Box> shared = intersection(other);
        if (shared.isEmpty()) {
            return List.of(this);
        }
        var rest = new ArrayList<Box>();
        Box left = this;
        for (int d = 0; d < shape.size(); d++) {
            long from = shared.get().offset.get(d);
            long to = shared.get().end(d);
            if (left.offset.get(d) < from) {
                rest.add(left.between(d, left.offset.get(d), from));
            }
            if (to < left.end(d)) {
                rest.add(left.between(d, to, left.end(d)));
            }
            left = left.between(d, from, to);
        }
        return rest;
    }

    /// Returns a copy with other bounds in one dimension.
    private Box between(int dimension, long from, long to) {
        var begin = new ArrayList<>(offset);
        var length = new ArrayList<>(shape);
        begin.set(dimension, from);
        length.set(dimension, to - from);
        return new Box(begin, length);
    }

    private long end(int dimension) {
        return offset.get(dimension) + shape.get(dimension);
    }
}
