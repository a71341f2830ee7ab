package dev.cairn.app.bench;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// A state of 256 MB as Adam has it: weights and two moments, each in eight tensors, filled with seeded values.
final class AdamState implements TrainingState, AutoCloseable {
    static final long BYTES = 256L << 20;
    private static final int LAYERS = 8;

    private final Arena arena = Arena.ofShared();
    private final List<LiveTensor> tensors = new ArrayList<>();

    AdamState() {
        long values = BYTES / 3 / LAYERS / Float.BYTES;
        var random = new SplittableRandom(1);
        for (Role role : List.of(Role.WEIGHT, Role.FIRST_MOMENT, Role.SECOND_MOMENT)) {
            for (int layer = 0; layer < LAYERS; layer++) {
                var spec = new TensorSpec(role + "." + layer, ElementType.FLOAT32, List.of(values), role);
                MemorySegment memory = arena.allocate(spec.sizeBytes(), 64);
                for (long i = 0; i < values; i++) {
                    memory.setAtIndex(ValueLayout.JAVA_FLOAT, i, random.nextInt() * 0x1p-31f);
                }
                tensors.add(new LiveTensor(spec, memory));
            }
        }
    }

    @Override
    public List<LiveTensor> tensors() {
        return tensors;
    }

    @Override
    public Attributes attributes() {
        return Attributes.empty();
    }

    @Override
    public void restored(long step, Attributes attributes) {}

    @Override
    public void close() {
        arena.close();
    }
}
