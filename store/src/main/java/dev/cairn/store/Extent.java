package dev.cairn.store;

import java.util.List;

/// The part of a larger tensor that a stored tensor covers. With it, a different number of processes can read what
/// some processes wrote.
///
/// @param shape the shape of the whole tensor
/// @param offset the start of this part, in each dimension
public record Extent(List<Long> shape, List<Long> offset) {
    public Extent {
        shape = List.copyOf(shape);
        offset = List.copyOf(offset);
        if (shape.size() != offset.size()) {
            throw new IllegalArgumentException(
                    "an extent needs one offset for each dimension: shape=%s offset=%s".formatted(shape, offset));
        }
    }

    /// Throws if a part of this shape does not fit into the whole tensor.
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
