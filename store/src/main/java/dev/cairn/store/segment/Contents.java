package dev.cairn.store.segment;

import dev.cairn.codec.huffman.TableSet;
import dev.cairn.store.TensorSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/// What one writer puts into a checkpoint: the tensors of one segment.
///
/// @param tables the code tables that the tensors' blocks name, complete when all are encoded
/// @param lanes how many blocks may be encoded at the same time, each on a thread of its own
public record Contents(List<TensorSource> tensors, TableSet tables, int lanes) {
    public Contents {
        tensors = List.copyOf(tensors);
        requireUniqueNames(tensors);
    }

    /// Tensors whose blocks carry their code tables themselves, one after the other.
    public Contents(List<? extends TensorSource> tensors) {
        this(List.copyOf(tensors), TableSet.empty(), 1);
    }

    /// Those with blocks of their own.
    List<TensorSource> stored() {
        return tensors.stream().filter(tensor -> tensor.sameAs() == null).toList();
    }

    /// What they take in memory.
    public long sizeBytes() {
        return stored().stream().mapToLong(tensor -> tensor.spec().sizeBytes()).sum();
    }

    /// Blocks are numbered in the order of the tensors.
    ///
    /// @param storedBytes what the blocks of each tensor take that has any of its own
    List<TensorRef> layOut(Map<String, Long> storedBytes) {
        var refs = new ArrayList<TensorRef>();
        long next = 0;
        for (TensorSource tensor : tensors) {
            String owner = tensor.sameAs();
            String stored = owner == null ? tensor.spec().key() : owner;
            refs.add(new TensorRef(
                    tensor.spec(),
                    tensor.codec(),
                    0,
                    owner == null ? next : firstBlock(refs, tensor),
                    storedBytes.getOrDefault(stored, 0L),
                    tensor.relativeError()));
            next += owner == null ? tensor.blocks() : 0;
        }
        return refs;
    }

    /// Where the blocks begin that the tensor shares with one before it.
    private static long firstBlock(List<TensorRef> before, TensorSource tensor) {
        TensorSpec spec = tensor.spec();
        for (TensorRef ref : before) {
            TensorSpec earlier = ref.spec();
            if (earlier.key().equals(tensor.sameAs())
                    && earlier.type() == spec.type()
                    && earlier.shape().equals(spec.shape())) {
                return ref.firstBlock();
            }
        }
        throw new IllegalArgumentException(
                "tensor %s shares the blocks of %s, but none before it has that name, type and shape"
                        .formatted(spec, tensor.sameAs()));
    }

    private static void requireUniqueNames(List<TensorSource> tensors) {
        var names = new HashSet<String>();
        for (TensorSource tensor : tensors) {
            if (!names.add(tensor.spec().key())) {
                throw new IllegalArgumentException(
                        "two tensors have the name " + tensor.spec().name());
            }
        }
    }
}
