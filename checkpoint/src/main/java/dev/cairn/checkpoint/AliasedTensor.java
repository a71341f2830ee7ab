package dev.cairn.checkpoint;

import dev.cairn.codec.Frame;
import dev.cairn.store.TensorSource;
import dev.cairn.store.TensorSpec;

/// Another name of a tensor that is stored already: it has that one's blocks and none of its own.
record AliasedTensor(TensorSpec spec, String codec, String sameAs) implements TensorSource {
    @Override
    public void encode(long block, int lane, Frame frame) {
        throw new IllegalStateException("the blocks of %s are those of %s".formatted(spec.name(), sameAs));
    }
}
