package dev.cairn.store.segment;

import dev.cairn.codec.block.SegmentTables;
import dev.cairn.codec.huffman.TableSet;
import dev.cairn.store.TensorSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/// The tensors that one writer stores in a checkpoint, in one segment.
///
/// @param tables what the blocks share and refer to, complete when all blocks are encoded
/// @param lanes the maximum number of blocks that are encoded at the same time, each on its own thread
public record Contents(List<TensorSource> tensors, SegmentTables tables, int lanes) {
    public Contents {
        tensors = List.copyOf(tensors);
        requireUniqueNames(tensors);
    }

    /// Creates contents whose blocks contain their own code tables and are encoded one after the other.
    public Contents(List<? extends TensorSource> tensors) {
        this(List.copyOf(tensors), SegmentTables.of(TableSet.empty()), 1);
    }

    /// The tensors that have their own blocks.
    List<TensorSource> stored() {
        return tensors.stream().filter(tensor -> tensor.sameAs() == null).toList();
    }

    /// The size of the tensors in memory, in bytes.
    public long sizeBytes() {
        return stored().stream().mapToLong(tensor -> tensor.spec().sizeBytes()).sum();
    }

    /// The maximum size of a segment's contents: no frame is larger than its values and what a frame adds to them.
    long mostBytes() {
        long blocks = stored().stream().mapToLong(TensorSource::blocks).sum();
        return sizeBytes()
                + (blocks + 1) * (SegmentFormat.FRAME_OVERHEAD_BYTES + SegmentFormat.INDEX_ENTRY_BYTES)
                + tables.mostBytes()
                + SegmentFormat.HEADER_BYTES
                + SegmentFormat.FOOTER_BYTES;
    }

    /// Numbers the blocks in the order of the tensors.
    ///
    /// @param storedBytes the stored size of the blocks of each tensor that has its own blocks
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

    /// The first of the blocks that the tensor shares with an earlier tensor.
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
                "tensor %s shares the blocks of %s, but no earlier tensor has that name, type and shape"
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
