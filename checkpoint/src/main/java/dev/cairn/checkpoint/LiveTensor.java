package dev.cairn.checkpoint;

import dev.cairn.store.TensorSpec;
import java.lang.foreign.MemorySegment;

/// A tensor of a running training, in place: the memory is the framework's own, read at capture, written at restore.
public record LiveTensor(TensorSpec spec, MemorySegment memory) {
    public LiveTensor {
        if (memory.byteSize() != spec.sizeBytes()) {
            throw new IllegalArgumentException(
                    "tensor %s has %d bytes, its memory %d".formatted(spec, spec.sizeBytes(), memory.byteSize()));
        }
    }
}
