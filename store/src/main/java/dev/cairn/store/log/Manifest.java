package dev.cairn.store.log;

import dev.cairn.store.TensorSpec;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.segment.TensorRef;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// The full description of a checkpoint: its outline, its tensors, and the places of their bytes.
public record Manifest(Commit checkpoint, List<TensorRef> tensors) {
    public Manifest {
        tensors = List.copyOf(tensors);
        var names = new HashSet<String>();
        for (TensorRef tensor : tensors) {
            if (!names.add(tensor.spec().key())) {
                throw new IllegalArgumentException(
                        "two tensors have the name " + tensor.spec().name());
            }
        }
    }

    /// The tensor with exactly this description.
    public Optional<TensorRef> find(TensorSpec spec) {
        return tensors.stream().filter(tensor -> tensor.spec().equals(spec)).findFirst();
    }

    /// The size of these tensors in memory, in bytes. A tensor with several names counts once.
    public static long fullBytes(List<TensorRef> tensors) {
        var counted = new HashSet<List<Long>>();
        return tensors.stream()
                .filter(tensor -> tensor.spec().sizeBytes() > 0)
                .filter(tensor -> counted.add(List.of((long) tensor.segment(), tensor.firstBlock())))
                .mapToLong(tensor -> tensor.spec().sizeBytes())
                .sum();
    }
}
