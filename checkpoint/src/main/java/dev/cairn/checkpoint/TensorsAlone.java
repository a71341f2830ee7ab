package dev.cairn.checkpoint;

import dev.cairn.store.Attributes;
import java.util.List;

/// A state that has only tensors, for [TrainingState#of].
record TensorsAlone(List<LiveTensor> tensors) implements TrainingState {
    @Override
    public Attributes attributes() {
        return Attributes.empty();
    }

    @Override
    public void restored(long step, Attributes attributes) {
        // There is no other state to set.
    }
}
