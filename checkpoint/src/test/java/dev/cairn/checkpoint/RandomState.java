package dev.cairn.checkpoint;

import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;

/// A state of values that do not compress, so that its segments have a known size. A step changes every hundredth.
public final class RandomState implements TrainingState {
    private final MemorySegment memory;
    private final Random random = new Random(4);

    /// @param bytes the size of the state
    public RandomState(int bytes) {
        memory = Arena.ofAuto().allocate(bytes / 4 * 4L, 64);
        for (long i = 0; i < memory.byteSize() / 4; i++) {
            memory.setAtIndex(ValueLayout.JAVA_INT, i, random.nextInt());
        }
    }

    /// Changes some values.
    public void makeStep() {
        for (long i = 0; i < memory.byteSize() / 4; i += 100) {
            memory.setAtIndex(ValueLayout.JAVA_INT, i, random.nextInt());
        }
    }

    @Override
    public List<LiveTensor> tensors() {
        return List.of(LiveTensor.of("weights", Role.WEIGHT, ElementType.FLOAT32, memory, memory.byteSize() / 4));
    }

    @Override
    public Attributes attributes() {
        return Attributes.empty();
    }

    @Override
    public void restored(long restoredStep, Attributes attributes) {}
}
