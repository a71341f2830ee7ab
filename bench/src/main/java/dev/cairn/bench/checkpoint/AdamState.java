package dev.cairn.bench.checkpoint;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// 256 MB of float32 weights and both moments of Adam, with values of a real training: its tensors one after the other,
/// repeated.
final class AdamState implements TrainingState, AutoCloseable {
    static final long BYTES = 256L << 20;
    private static final long ELEMENTS = BYTES / 3 / Float.BYTES;

    private final Arena arena = Arena.ofShared();
    private final List<LiveTensor> tensors =
            List.of(tensor("weights", Role.WEIGHT), tensor("m", Role.FIRST_MOMENT), tensor("v", Role.SECOND_MOMENT));

    private LiveTensor tensor(String name, Role role) {
        var spec = new TensorSpec(name, ElementType.FLOAT32, List.of(ELEMENTS), role);
        return new LiveTensor(spec, arena.allocate(spec.sizeBytes(), 64).fill((byte) 0));
    }

    /// Takes the values of a training.
    void copyFrom(TrainingState training) {
        List<LiveTensor> live = training.tensors();
        for (LiveTensor tensor : tensors) {
            Role role = tensor.spec().role();
            List<MemorySegment> parts = live.stream()
                    .filter(part -> part.spec().role() == role)
                    .map(LiveTensor::memory)
                    .toList();
            fill(tensor.memory(), parts);
        }
    }

    void copyFrom(AdamState other) {
        for (int i = 0; i < tensors.size(); i++) {
            tensors.get(i).memory().copyFrom(other.tensors.get(i).memory());
        }
    }

    private static void fill(MemorySegment target, List<MemorySegment> parts) {
        for (long at = 0; at < target.byteSize(); ) {
            for (MemorySegment part : parts) {
                long length = Math.min(part.byteSize(), target.byteSize() - at);
                MemorySegment.copy(part, 0, target, at, length);
                at += length;
            }
        }
    }

    static long sizeBytes() {
        return 3 * ELEMENTS * Float.BYTES;
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
