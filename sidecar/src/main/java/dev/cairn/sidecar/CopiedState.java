package dev.cairn.sidecar;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A state in shared memory, as messages describe it: each tensor by name, type, shape, role and offset.
///
/// @param attributes all that is not a tensor
record CopiedState(List<LiveTensor> tensors, Attributes attributes) implements TrainingState {
    CopiedState {
        tensors = List.copyOf(tensors);
    }

    /// @param described the tensors, each a list of name, type, shape, role and offset
    /// @throws IllegalArgumentException if they are not so described, or not within the memory
    static List<LiveTensor> tensors(List<@Nullable Object> described, MemorySegment memory) {
        var tensors = new ArrayList<LiveTensor>();
        for (Object each : described) {
            if (!(each instanceof List<?> words)
                    || words.size() != 5
                    || !(words.get(0) instanceof String name)
                    || !(words.get(1) instanceof String type)
                    || !(words.get(2) instanceof List<?> shape)
                    || !(words.get(3) instanceof String role)
                    || !(words.get(4) instanceof Long offset)) {
                throw new IllegalArgumentException("a tensor is described as [name, type, shape, role, offset]");
            }
            List<Long> dimensions = shape.stream().map(Long.class::cast).toList();
            var spec = new TensorSpec(name, ElementType.ofLabel(type), dimensions, Role.ofLabel(role));
            if (offset < 0 || offset > memory.byteSize() - spec.sizeBytes()) {
                throw new IllegalArgumentException(
                        "tensor " + spec + " at " + offset + " is outside of " + memory.byteSize() + " bytes");
            }
            tensors.add(new LiveTensor(spec, memory.asSlice(offset, spec.sizeBytes())));
        }
        return tensors;
    }

    /// The tensors as a message describes them.
    static List<Object> described(List<LiveTensor> tensors, MemorySegment memory) {
        var described = new ArrayList<Object>();
        for (LiveTensor tensor : tensors) {
            TensorSpec spec = tensor.spec();
            described.add(List.of(
                    spec.name(),
                    spec.type().label(),
                    spec.shape(),
                    spec.role().label(),
                    tensor.memory().address() - memory.address()));
        }
        return described;
    }

    /// A map without the step, for a message.
    static Map<String, @Nullable Object> content(Attributes attributes) {
        return new LinkedHashMap<>(attributes.asMap());
    }

    @Override
    public void restored(long step, Attributes attributes) {
        // The training takes it from the memory.
    }
}
