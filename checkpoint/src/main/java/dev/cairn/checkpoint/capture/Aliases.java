package dev.cairn.checkpoint.capture;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Role;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;

/// Finds tensors that share the same memory under several names, such as tied embeddings. Memory that overlaps only
/// in part, or is viewed with another type, shape or role, counts as separate tensors.
public final class Aliases {
    /// The memory of a tensor and how it is viewed.
    private record View(MemorySegment memory, ElementType type, List<Long> shape, Role role) {}

    private Aliases() {}

    /// Returns for each tensor the index of the first tensor that is the same; its own index if there is no earlier
    /// one.
    public static int[] originals(List<LiveTensor> tensors) {
        var first = new HashMap<View, Integer>();
        int[] originals = new int[tensors.size()];
        for (int i = 0; i < originals.length; i++) {
            LiveTensor tensor = tensors.get(i);
            originals[i] = i;
            if (tensor.memory().byteSize() > 0) {
                var spec = tensor.spec();
                Integer earlier =
                        first.putIfAbsent(new View(tensor.memory(), spec.type(), spec.shape(), spec.role()), i);
                originals[i] = earlier == null ? i : earlier;
            }
        }
        return originals;
    }
}
