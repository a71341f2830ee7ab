package dev.cairn.checkpoint;

import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A state of tensors named by a test, each filled with one value.
final class NamedState implements TrainingState {
    private final Map<String, LiveTensor> tensors = new LinkedHashMap<>();
    Attributes attributes = Attributes.empty();
    long step;

    NamedState with(String name, ElementType type, float value, long... shape) {
        return with(name, type, Role.WEIGHT, value, shape);
    }

    NamedState with(String name, ElementType type, Role role, float value, long... shape) {
        var dimensions = new ArrayList<Long>();
        for (long dimension : shape) {
            dimensions.add(dimension);
        }
        var spec = new TensorSpec(name, type, dimensions, role);
        tensors.put(name, new LiveTensor(spec, Arena.ofAuto().allocate(spec.sizeBytes(), 64)));
        set(name, value);
        return this;
    }

    NamedState with(String name, float value, long... shape) {
        return with(name, ElementType.FLOAT32, value, shape);
    }

    NamedState with(Attributes more) {
        attributes = attributes.with(more);
        return this;
    }

    void set(String name, float value) {
        LiveTensor tensor = tensor(name);
        for (long i = 0; i < tensor.memory().byteSize() / Float.BYTES; i++) {
            tensor.memory().setAtIndex(ValueLayout.JAVA_FLOAT, i, value);
        }
    }

    /// The value of every element; NaN if they are not all the same.
    float value(String name) {
        LiveTensor tensor = tensor(name);
        float first = tensor.memory().getAtIndex(ValueLayout.JAVA_FLOAT, 0);
        for (long i = 1; i < tensor.memory().byteSize() / Float.BYTES; i++) {
            if (tensor.memory().getAtIndex(ValueLayout.JAVA_FLOAT, i) != first) {
                return Float.NaN;
            }
        }
        return first;
    }

    private LiveTensor tensor(String name) {
        LiveTensor tensor = tensors.get(name);
        if (tensor == null) {
            throw new AssertionError("no tensor " + name);
        }
        return tensor;
    }

    @Override
    public List<LiveTensor> tensors() {
        return List.copyOf(tensors.values());
    }

    @Override
    public Attributes attributes() {
        return attributes;
    }

    @Override
    public void restored(long restoredStep, Attributes restored) {
        step = restoredStep;
    }
}
