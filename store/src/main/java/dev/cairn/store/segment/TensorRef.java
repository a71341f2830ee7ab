package dev.cairn.store.segment;

import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import java.util.OptionalDouble;

/// Where a tensor's blocks are: `firstBlock` of segment number `segment` of the checkpoint's list, and those
/// after.
///
/// @param codec how it was encoded, for people; the blocks say it themselves
/// @param storedBytes what its blocks take, for people
/// @param relativeError how far off it is from what was live, relative to that; absent where not measured
public record TensorRef(
        TensorSpec spec, String codec, int segment, long firstBlock, long storedBytes, OptionalDouble relativeError) {
    /// The codec of a tensor that is not stored: it comes back as zeros.
    public static final String DROPPED = "dropped";

    /// Whether what was live is not stored, and comes back as zeros. In a merged form those zeros are stored.
    public boolean isDropped() {
        return codec.equals(DROPPED) || (spec.role() == Role.FIRST_MOMENT && relativeError.orElse(0) == 1);
    }

    /// The same in another place of the list of segments.
    public TensorRef inSegment(int position) {
        return new TensorRef(spec, codec, position, firstBlock, storedBytes, relativeError);
    }
}
