package dev.cairn.checkpoint;

import dev.cairn.codec.ElementType;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.LongStream;

/// A tensor of a running training, in place: the memory is the framework's own, read at capture, written at restore.
///
/// @param memory all of the tensor's elements, row by row, in this machine's byte order
public record LiveTensor(TensorSpec spec, MemorySegment memory) {
    /// A tensor of this shape in this memory.
    public static LiveTensor of(String name, Role role, ElementType type, MemorySegment memory, long... shape) {
        List<Long> dimensions = LongStream.of(shape).boxed().toList();
        return new LiveTensor(new TensorSpec(name, type, dimensions, role), memory);
    }

    public LiveTensor {
        if (memory.byteSize() != spec.sizeBytes()) {
            throw new IllegalArgumentException(
                    "tensor %s has %d bytes, its memory %d".formatted(spec, spec.sizeBytes(), memory.byteSize()));
        }
    }
}
