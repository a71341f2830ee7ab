package dev.cairn.checkpoint;

import dev.cairn.codec.ElementType;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.stream.LongStream;

/// A tensor of a running training, in place: the memory is the framework's own or a Java array, read at
/// capture, written at restore. It may lie anywhere and at any alignment.
///
/// @param memory all of the tensor's elements, row by row, in this machine's byte order
public record LiveTensor(TensorSpec spec, MemorySegment memory) {
    /// A tensor of this shape in this memory.
    public static LiveTensor of(String name, Role role, ElementType type, MemorySegment memory, long... shape) {
        List<Long> dimensions = LongStream.of(shape).boxed().toList();
        return new LiveTensor(new TensorSpec(name, type, dimensions, role), memory);
    }

    /// This array as a float32 tensor of this shape; without a shape, of one dimension.
    public static LiveTensor of(String name, Role role, float[] values, long... shape) {
        return of(name, role, ElementType.FLOAT32, MemorySegment.ofArray(values), shapeOr(values.length, shape));
    }

    /// Weights in this array, as a float32 tensor of this shape; without a shape, of one dimension.
    public static LiveTensor weight(String name, float[] values, long... shape) {
        return of(name, Role.WEIGHT, values, shape);
    }

    /// An optimizer's first moments (momentum, Adam's m) in this array, which a lossy codec may drop.
    public static LiveTensor firstMoment(String name, float[] values, long... shape) {
        return of(name, Role.FIRST_MOMENT, values, shape);
    }

    /// An optimizer's second moments (Adam's v) in this array, which are never negative.
    public static LiveTensor secondMoment(String name, float[] values, long... shape) {
        return of(name, Role.SECOND_MOMENT, values, shape);
    }

    /// This array as a float64 tensor of this shape; without a shape, of one dimension.
    public static LiveTensor of(String name, Role role, double[] values, long... shape) {
        return of(name, role, ElementType.FLOAT64, MemorySegment.ofArray(values), shapeOr(values.length, shape));
    }

    /// This array as an int64 tensor of this shape; without a shape, of one dimension.
    public static LiveTensor of(String name, Role role, long[] values, long... shape) {
        return of(name, role, ElementType.INT64, MemorySegment.ofArray(values), shapeOr(values.length, shape));
    }

    /// This array as an int32 tensor of this shape; without a shape, of one dimension.
    public static LiveTensor of(String name, Role role, int[] values, long... shape) {
        return of(name, role, ElementType.INT32, MemorySegment.ofArray(values), shapeOr(values.length, shape));
    }

    /// This array as an int16 tensor of this shape; without a shape, of one dimension.
    public static LiveTensor of(String name, Role role, short[] values, long... shape) {
        return of(name, role, ElementType.INT16, MemorySegment.ofArray(values), shapeOr(values.length, shape));
    }

    /// This array as an int8 tensor of this shape; without a shape, of one dimension.
    public static LiveTensor of(String name, Role role, byte[] values, long... shape) {
        return of(name, role, ElementType.INT8, MemorySegment.ofArray(values), shapeOr(values.length, shape));
    }

    public LiveTensor {
        if (memory.byteSize() != spec.sizeBytes()) {
            throw new IllegalArgumentException(
                    "tensor %s has %d bytes, its memory %d".formatted(spec, spec.sizeBytes(), memory.byteSize()));
        }
    }

    /// Throws where two of a state's tensors have one name, and are not parts of a tensor that begin at different
    /// offsets: a checkpoint could not tell them apart.
    public static void requireUniqueNames(List<LiveTensor> tensors) {
        var names = new HashSet<String>();
        for (LiveTensor tensor : tensors) {
            if (!names.add(tensor.spec.key())) {
                throw new IllegalArgumentException(
                        "two tensors of the state have the name '%s': give each its own".formatted(tensor.spec.name()));
            }
        }
    }

    private static long[] shapeOr(int length, long[] shape) {
        return shape.length == 0 ? new long[] {length} : shape;
    }
}
