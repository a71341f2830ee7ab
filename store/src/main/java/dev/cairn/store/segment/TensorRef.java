package dev.cairn.store.segment;

import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import java.util.OptionalDouble;

/// The place of a tensor's blocks: they start at block `firstBlock` of the segment with index `segment` in the
/// checkpoint's list.
///
/// @param codec the codec, for people; the blocks contain it themselves
/// @param storedBytes the size of the blocks, for people
/// @param relativeError the error of the stored values relative to the live values; empty if it was not measured
public record TensorRef(
        TensorSpec spec, String codec, int segment, long firstBlock, long storedBytes, OptionalDouble relativeError) {
    /// The codec of a tensor that is not stored: it is restored as zeros.
    public static final String DROPPED = "dropped";

    /// Whether the live values are not stored, and are restored as zeros. In a merged form those zeros are stored.
    public boolean isDropped() {
        return codec.equals(DROPPED) || (spec.role() == Role.FIRST_MOMENT && relativeError.orElse(0) == 1);
    }

    /// Returns the same reference with another index in the list of segments.
    public TensorRef inSegment(int position) {
        return new TensorRef(spec, codec, position, firstBlock, storedBytes, relativeError);
    }
}
