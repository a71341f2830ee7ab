package dev.cairn.store;

import java.util.List;

/// Which part of a larger tensor a stored one is, so that what some number of processes wrote another number can read.
///
/// @param shape of the whole tensor
/// @param offset where this part begins, in each dimension
public record Extent(List<Long> shape, List<Long> offset) {
    public Extent {
        shape = List.copyOf(shape);
        offset = List.copyOf(offset);
        if (shape.size() != offset.size()) {
            throw new IllegalArgumentException(
                    "an extent has one offset for each dimension: shape=%s offset=%s".formatted(shape, offset));
        }
    }

    /// Throws where a part of this shape does not lie within the whole.
    void requireHolds(String tensor, List<Long> part) {
        boolean fits = part.size() == shape.size();
        for (int i = 0; fits && i < part.size(); i++) {
            fits = offset.get(i) >= 0 && part.get(i) <= shape.get(i) && offset.get(i) <= shape.get(i) - part.get(i);
        }
        if (!fits) {
            throw new IllegalArgumentException("part outside its tensor: tensor=%s part=%s offset=%s whole=%s"
                    .formatted(tensor, part, offset, shape));
        }
    }
}
