package dev.cairn.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/// A copy of an array in Cairn's memory, because DJL exposes its memory only for some engines and devices.
final class MirroredArray {
    private final NDArray array;
    private final LiveTensor mirror;

    MirroredArray(String name, NDArray array, Role role) {
        this.array = array;
        var spec = new TensorSpec(
                name,
                typeOf(name, array),
                Arrays.stream(array.getShape().getShape()).boxed().toList(),
                role);
        this.mirror = new LiveTensor(spec, Arena.ofAuto().allocate(spec.sizeBytes(), Long.BYTES));
    }

    LiveTensor mirror() {
        return mirror;
    }

    /// Whether this mirrors the given array.
    @SuppressWarnings("ReferenceEquality") // equals compares values
    boolean isOf(NDArray other) {
        return array == other;
    }

    /// Copies the current values of the array into the mirror.
    void take() {
        mirror.memory().copyFrom(MemorySegment.ofBuffer(array.toByteBuffer(true)));
    }

    /// Copies the values of the mirror into the array.
    void give() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(
                        Math.toIntExact(mirror.memory().byteSize()))
                .order(ByteOrder.nativeOrder());
        MemorySegment.ofBuffer(bytes).copyFrom(mirror.memory());
        try (NDManager manager = array.getManager().newSubManager(array.getDevice());
                NDArray values = manager.create(bytes, array.getShape(), array.getDataType())) {
            values.copyTo(array);
        }
    }

    private static ElementType typeOf(String name, NDArray array) {
        return switch (array.getDataType()) {
            case FLOAT64 -> ElementType.FLOAT64;
            case FLOAT32 -> ElementType.FLOAT32;
            case FLOAT16 -> ElementType.FLOAT16;
            case BFLOAT16 -> ElementType.BFLOAT16;
            case INT64 -> ElementType.INT64;
            case INT32 -> ElementType.INT32;
            case INT16 -> ElementType.INT16;
            case INT8 -> ElementType.INT8;
            case UINT8 -> ElementType.UINT8;
            case UINT16 -> ElementType.UINT16;
            case UINT32 -> ElementType.UINT32;
            case UINT64 -> ElementType.UINT64;
            case BOOLEAN -> ElementType.BOOL;
            case COMPLEX64 -> ElementType.COMPLEX64;
            case STRING, UNKNOWN ->
                throw new IllegalArgumentException(
                        "parameter of a type that checkpoints do not support: name=%s type=%s"
                                .formatted(name, array.getDataType()));
        };
    }
}
