package dev.cairn.torch;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/// Memory that libtorch and Java share, without a copy in either direction.
final class TorchMemory {
    private TorchMemory() {}

    /// The memory of a contiguous CPU tensor. Valid as long as the tensor.
    static MemorySegment of(Tensor tensor) {
        return MemorySegment.ofAddress(tensor.data_ptr().address()).reinterpret(tensor.nbytes());
    }

    static LiveTensor live(String name, Tensor tensor, ElementType type, Role role) {
        var shape = new ArrayList<Long>();
        for (int i = 0; i < tensor.dim(); i++) {
            shape.add(tensor.size(i));
        }
        return new LiveTensor(new TensorSpec(name, type, shape, role), of(tensor));
    }

    /// A tensor over the given memory. It must not outlive the memory.
    static Tensor view(MemorySegment memory, ScalarType type, long... shape) {
        return torch.from_blob(new SegmentPointer(memory), shape, new TensorOptions(type));
    }

    /// A new float tensor with these values.
    static Tensor floats(float[] values, List<Long> shape) {
        Tensor tensor = torch.zeros(shape.stream().mapToLong(Long::longValue).toArray());
        of(tensor).copyFrom(MemorySegment.ofArray(values));
        return tensor;
    }

    private static final class SegmentPointer extends Pointer {
        SegmentPointer(MemorySegment memory) {
            this.address = memory.address();
            this.limit = memory.byteSize();
            this.capacity = memory.byteSize();
        }
    }
}
