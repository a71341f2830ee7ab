package dev.cairn.torch;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Role;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;

/// A user's tensors as live memory, or a one-line error that says why this is not possible.
final class LiveMemory {
    private LiveMemory() {}

    static LiveTensor of(String name, Tensor tensor, Role role) {
        if (!tensor.is_cpu() || !tensor.is_contiguous()) {
            throw new IllegalArgumentException(
                    "tensor cannot be saved in place: name=%s cpu=%b contiguous=%b; keep it on the CPU and make it contiguous()"
                            .formatted(name, tensor.is_cpu(), tensor.is_contiguous()));
        }
        return TorchMemory.live(name, tensor, typeOf(name, tensor), role);
    }

    private static ElementType typeOf(String name, Tensor tensor) {
        ScalarType type = tensor.scalar_type();
        return switch (type.intern()) {
            case Double -> ElementType.FLOAT64;
            case Float -> ElementType.FLOAT32;
            case Half -> ElementType.FLOAT16;
            case BFloat16 -> ElementType.BFLOAT16;
            case Long -> ElementType.INT64;
            case Int -> ElementType.INT32;
            case Short -> ElementType.INT16;
            case Char -> ElementType.INT8;
            case Byte -> ElementType.UINT8;
            case Bool -> ElementType.BOOL;
            case UInt64 -> ElementType.UINT64;
            case UInt32 -> ElementType.UINT32;
            case UInt16 -> ElementType.UINT16;
            case ComplexFloat -> ElementType.COMPLEX64;
            default ->
                throw new IllegalArgumentException(
                        "tensor of a type that checkpoints do not support: name=%s type=%s".formatted(name, type));
        };
    }
}
