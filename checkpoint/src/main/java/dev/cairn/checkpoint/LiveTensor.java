package dev.cairn.checkpoint;

import dev.cairn.codec.ElementType;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.stream.LongStream;

/// A tensor of a running training, with its memory. The memory belongs to the framework or is a Java array. A
/// capture reads it and a restore writes it. It may have any address and any alignment.
///
/// @param memory all elements of the tensor, row by row, in the byte order of this machine
public record LiveTensor(TensorSpec spec, MemorySegment memory) {
    /// Returns a tensor of this shape in this memory.
    public static LiveTensor of(String name, Role role, ElementType type, MemorySegment memory, long... shape) {
        List<Long> dimensions = LongStream.of(shape).boxed().toList();
        return new LiveTensor(new TensorSpec(name, type, dimensions, role), memory);
    }

    /// Returns this array as a float32 tensor of this shape. Without a shape, it has one dimension.
    public static LiveTensor of(String name, Role role, float[] values, long... shape) {
        return of(name, role, ElementType.FLOAT32, MemorySegment.ofArray(values), shapeOr(values.length, shape));
    }

    /// Returns weights in this array, as a float32 tensor of this shape. Without a shape, it has one dimension.
    public static LiveTensor weight(String name, float[] values, long... shape) {
        return of(name, Role.WEIGHT, values, shape);
    }

    /// Returns first moments of an optimizer (momentum, Adam's m) in this array. A lossy codec may drop them.
    public static LiveTensor firstMoment(String name, float[] values, long... shape) {
        return of(name, Role.FIRST_MOMENT, values, shape);
    }

    /// Returns second moments of an optimizer (Adam's v) in this array. They are never negative.
    public static LiveTensor secondMoment(String name, float[] values, long... shape) {
        return of(name, Role.SECOND_MOMENT, values, shape);
    }

    /// Returns this array as a float64 tensor of this shape. Without a shape, it has one dimension.
    public static LiveTensor of(String name, Role role, double[] values, long... shape) {
        return of(name, role, ElementType.FLOAT64, MemorySegment.ofArray(values), shapeOr(values.length, shape));
    }

    /// Returns this array as an int64 tensor of this shape. Without a shape, it has one dimension.
    public static LiveTensor of(String name, Role role, long[] values, long... shape) {
        return of(name, role, ElementType.INT64, MemorySegment.ofArray(values), shapeOr(values.length, shape));
    }

    /// Returns this array as an int32 tensor of this shape. Without a shape, it has one dimension.
    public static LiveTensor of(String name, Role role, int[] values, long... shape) {
        return of(name, role, ElementType.INT32, MemorySegment.ofArray(values), shapeOr(values.length, shape));
    }

    /// Returns this array as an int16 tensor of this shape. Without a shape, it has one dimension.
    public static LiveTensor of(String name, Role role, short[] values, long... shape) {
        return of(name, role, ElementType.INT16, MemorySegment.ofArray(values), shapeOr(values.length, shape));
    }

    /// Returns this array as an int8 tensor of this shape. Without a shape, it has one dimension.
    public static LiveTensor of(String name, Role role, byte[] values, long... shape) {
        return of(name, role, ElementType.INT8, MemorySegment.ofArray(values), shapeOr(values.length, shape));
    }

    public LiveTensor {
        if (memory.byteSize() != spec.sizeBytes()) {
            throw new IllegalArgumentException(
                    "tensor %s has %d bytes, its memory %d".formatted(spec, spec.sizeBytes(), memory.byteSize()));
        }
    }

    /// Throws if two tensors of a state have the same name and are not parts of one tensor that start at
    /// different offsets. A checkpoint could not distinguish them.
    public static void requireUniqueNames(List<LiveTensor> tensors) {
        var names = new HashSet<String>();
        for (LiveTensor tensor : tensors) {
            if (!names.add(tensor.spec.key())) {
                throw new IllegalArgumentException(
                        "two tensors of the state have the name '%s': give each tensor a unique name"
                                .formatted(tensor.spec.name()));
            }
        }
    }

    private static long[] shapeOr(int length, long[] shape) {
        return shape.length == 0 ? new long[] {length} : shape;
    }
}
