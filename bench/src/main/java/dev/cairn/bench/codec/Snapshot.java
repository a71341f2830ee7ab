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

/// A state in memory of its own: a copy of a live one, or what a restore gave.
final class Snapshot implements TrainingState, AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final List<LiveTensor> tensors = new ArrayList<>();

    /// Of the same tensors, with their values.
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

    /// The bytes of all weights, one tensor after the other.
    MemorySegment weights(Arena into) {
        long size = tensors.stream()
                .filter(tensor -> tensor.spec().role() == Role.WEIGHT)
                .mapToLong(tensor -> tensor.memory().byteSize())
                .sum();
        MemorySegment all = into.allocate(size, 64);
        long at = 0;
        for (LiveTensor tensor : tensors) {
            if (tensor.spec().role() == Role.WEIGHT) {
                MemorySegment.copy(tensor.memory(), 0, all, at, tensor.memory().byteSize());
                at += tensor.memory().byteSize();
            }
        }
        return all;
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
