package dev.cairn.store.segment;

import dev.cairn.codec.Frame;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.store.TensorSpec;
import java.io.IOException;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// A tensor to be stored: its description, and its blocks when they are asked for.
public interface TensorSource {
    /// Which tensor it is.
    TensorSpec spec();

    /// How it is encoded, for people.
    String codec();

    /// The name of an earlier tensor of the same type and shape whose blocks are this one's too; null for a
    /// tensor with blocks of its own.
    default @Nullable String sameAs() {
        return null;
    }

    /// How far off what a reader will hold is from what was live, relative to that; empty where nobody measures it,
    /// or where nothing of the checkpoint is lost. Asked when all blocks are encoded.
    default OptionalDouble relativeError() {
        return OptionalDouble.empty();
    }

    /// How many blocks it has.
    default long blocks() {
        return Math.ceilDiv(spec().sizeBytes(), BlockEncoder.blockBytes(spec().type()));
    }

    /// Encodes one block into the frame. Called once for each block, in any order and from several threads at once.
    ///
    /// @param lane from 0 to [Contents#lanes] exclusive; no two threads have the same at a time
    void encode(long block, int lane, Frame frame) throws IOException;
}
