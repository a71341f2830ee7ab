package dev.cairn.store.segment;

import dev.cairn.codec.Frame;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.store.TensorSpec;
import java.io.IOException;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// A tensor to be stored: its description, and its blocks on demand.
public interface TensorSource {
    /// The description of the tensor.
    TensorSpec spec();

    /// The name of the codec, for people.
    String codec();

    /// The name of an earlier tensor of the same type and shape whose blocks this tensor shares; null for a tensor
    /// with its own blocks.
    default @Nullable String sameAs() {
        return null;
    }

    /// The error of the values that a reader will hold, relative to the live values; empty if it is not measured,
    /// or if the checkpoint is exact. Called when all blocks are encoded.
    default OptionalDouble relativeError() {
        return OptionalDouble.empty();
    }

    /// The number of blocks.
    default long blocks() {
        return Math.ceilDiv(spec().sizeBytes(), BlockEncoder.blockBytes(spec().type()));
    }

    /// Encodes one block into the frame. Called once for each block, in any order and from several threads at once.
    ///
    /// @param lane a number from 0 to [Contents#lanes] exclusive; no two threads use the same one at a time
    void encode(long block, int lane, Frame frame) throws IOException;
}
