package dev.cairn.tensorflow;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.engine.StateOwner;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/// Copies whole states of learners out and in.
final class States {
    private States() {}

    static Map<String, float[]> of(StateOwner owner) {
        var state = new LinkedHashMap<String, float[]>();
        for (LiveTensor tensor : owner.tensors()) {
            state.put(tensor.spec().name(), tensor.memory().toArray(ValueLayout.JAVA_FLOAT));
        }
        return state;
    }

    static void restore(StateOwner owner, Map<String, float[]> state) {
        for (LiveTensor tensor : owner.tensors()) {
            float[] values = Objects.requireNonNull(state.get(tensor.spec().name()));
            tensor.memory().copyFrom(MemorySegment.ofArray(values));
        }
        owner.tensorsRestored();
    }
}
