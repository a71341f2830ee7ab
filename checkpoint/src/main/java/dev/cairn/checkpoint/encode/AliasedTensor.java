package dev.cairn.checkpoint.encode;

import dev.cairn.codec.Frame;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.segment.TensorSource;
import java.util.OptionalDouble;

/// Another name of a tensor that is already stored. It shares the blocks of that tensor and has none of its own.
record AliasedTensor(TensorSpec spec, TensorSource original) implements TensorSource {
    @Override
    public String codec() {
        return original.codec();
    }

    @Override
    public String sameAs() {
        return original.spec().key();
    }

    @Override
    public OptionalDouble relativeError() {
        return original.relativeError();
    }

    @Override
    public void encode(long block, int lane, Frame frame) {
        throw new IllegalStateException(
                "%s has no blocks of its own; it shares those of %s".formatted(spec.name(), sameAs()));
    }
}
