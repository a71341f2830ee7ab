package dev.cairn.tensorflow.runtime;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.bytedeco.javacpp.Pointer;
import org.tensorflow.internal.c_api.Deallocator_Pointer_long_Pointer;
import org.tensorflow.internal.c_api.TF_Tensor;
import org.tensorflow.internal.c_api.global.tensorflow;

/// TensorFlow's tensors and their memory. Whoever receives a tensor must delete it; its buffer is freed with its last
/// user.
public final class NativeTensors {
    /// TensorFlow must not free the memory.
    private static final Deallocator_Pointer_long_Pointer NO_DEALLOCATION = new NoDeallocation().retainReference();

    private NativeTensors() {}

    /// A tensor over the given memory, which it must not outlive. Memory that is not aligned to 64 bytes is
    /// copied.
    public static TF_Tensor view(MemorySegment memory, int type, long... shape) {
        var pointer = new SegmentPointer(memory);
        return tensorflow.TF_NewTensor(type, shape, shape.length, pointer, memory.byteSize(), NO_DEALLOCATION, null);
    }

    /// A tensor with its own memory, not yet written.
    public static TF_Tensor allocate(int type, long bytes, long... shape) {
        return tensorflow.TF_AllocateTensor(type, shape, shape.length, bytes);
    }

    /// The memory of the tensor. Valid as long as the tensor.
    public static MemorySegment memory(TF_Tensor tensor) {
        long bytes = tensorflow.TF_TensorByteSize(tensor);
        return bytes == 0
                ? MemorySegment.NULL
                : MemorySegment.ofAddress(tensorflow.TF_TensorData(tensor).address())
                        .reinterpret(bytes);
    }

    public static float toFloat(TF_Tensor tensor) {
        return memory(tensor).get(ValueLayout.JAVA_FLOAT, 0);
    }

    public static long toLong(TF_Tensor tensor) {
        return memory(tensor).get(ValueLayout.JAVA_LONG, 0);
    }

    public static void delete(TF_Tensor tensor) {
        tensorflow.TF_DeleteTensor(tensor);
    }

    private static final class NoDeallocation extends Deallocator_Pointer_long_Pointer {
        @Override
        public void call(Pointer data, long length, Pointer argument) {
            // the memory stays with its owner
        }
    }

    private static final class SegmentPointer extends Pointer {
        SegmentPointer(MemorySegment memory) {
            this.address = memory.address();
            this.limit = memory.byteSize();
            this.capacity = memory.byteSize();
        }
    }
}
