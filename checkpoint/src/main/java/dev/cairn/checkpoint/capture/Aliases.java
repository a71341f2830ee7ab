package dev.cairn.checkpoint.capture;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Role;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;

/// Finds tensors that are one and the same memory under several names, as tied embeddings are. Memory that overlaps
/// only in part, or is seen as another type, shape or role, counts as separate tensors.
public final class Aliases {
    /// Where a tensor is and as what it is seen.
    private record View(MemorySegment memory, ElementType type, List<Long> shape, Role role) {}

    private Aliases() {}

    /// For each tensor, the index of the first that is the same: its own where none before it is.
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
