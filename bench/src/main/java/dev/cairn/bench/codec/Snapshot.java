package dev.cairn.bench.codec;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// A state in its own memory: a copy of a live state, or the result of a restore.
final class Snapshot implements TrainingState, AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final List<LiveTensor> tensors = new ArrayList<>();

    /// A copy of these tensors with their values.
    Snapshot(TrainingState other) {
        for (LiveTensor tensor : other.tensors()) {
            MemorySegment copy = arena.allocate(tensor.memory().byteSize(), 64).copyFrom(tensor.memory());
            tensors.add(new LiveTensor(tensor.spec(), copy));
        }
    }

    void copyFrom(TrainingState other) {
        List<LiveTensor> live = other.tensors();
        for (int i = 0; i < live.size(); i++) {
            tensors.get(i).memory().copyFrom(live.get(i).memory());
        }
    }

    /// The Euclidean distance of all weights together.
    double weightDistance(Snapshot other) {
        double squares = 0;
        for (int t = 0; t < tensors.size(); t++) {
            if (tensors.get(t).spec().role() == Role.WEIGHT) {
                MemorySegment mine = tensors.get(t).memory();
                MemorySegment theirs = other.tensors.get(t).memory();
                for (long i = 0; i < mine.byteSize() / Float.BYTES; i++) {
                    double difference = mine.getAtIndex(ValueLayout.JAVA_FLOAT, i)
                            - (double) theirs.getAtIndex(ValueLayout.JAVA_FLOAT, i);
                    squares += difference * difference;
                }
            }
        }
        return Math.sqrt(squares);
    }

    /// The bytes of the tensor with this name.
    MemorySegment weights(Arena into, String name) {
        LiveTensor tensor = tensors.stream()
                .filter(each -> each.spec().name().equals(name))
                .findFirst()
                .orElseThrow();
        return into.allocate(tensor.memory().byteSize(), 64).copyFrom(tensor.memory());
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
