package dev.cairn.store;

import dev.cairn.codec.ElementType;
import dev.cairn.store.LogRecord.Checkpoint;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// One tensor in the checkpoints of a chain. Immutable and safe for several threads, each with a [Workspace] of
/// its own.
///
/// The frames of a block are read from the newest back to the first that needs no reference, then applied in order.
/// What a later frame overwrites is neither read nor decoded: dropped momentum costs next to nothing, however long the
/// chain.
final class TensorChain {
    private final TensorSpec spec;
    private final List<Part> parts;
    private final Checkpoint oldest;
    private final int blockBytes;

    /// The tensor's blocks in one checkpoint.
    record Part(SegmentReader segment, long firstBlock) {}

    /// @param parts the newest first
    /// @param oldest the checkpoint of the last part: the base, or the one in which the tensor came up
    TensorChain(TensorSpec spec, List<Part> parts, Checkpoint oldest) {
        this.spec = spec;
        this.parts = List.copyOf(parts);
        this.oldest = oldest;
        this.blockBytes = parts.getFirst().segment().blockBytes(spec.type());
    }

    /// How many bytes of the tensor a block stands for; the last may stand for fewer.
    int blockBytes() {
        return blockBytes;
    }

    long sizeBytes() {
        return spec.sizeBytes();
    }

    /// Fills `values`, of exactly the block's size, whatever they hold.
    void read(long block, MemorySegment values, Workspace workspace) throws IOException {
        ElementType type = spec.type();
        workspace.clear();
        int from = 0;
        while (!workspace.load(parts.get(from).segment(), parts.get(from).firstBlock() + block)) {
            from++;
            if (from == parts.size()) {
                throw new DamagedException(
                        CommitLog.name(oldest.number()),
                        "block %d of tensor %s needs a parent that has it".formatted(block, spec));
            }
            requireSameBlocks(parts.get(from).segment());
        }
        for (int part = from; part >= 0; part--) {
            SegmentReader segment = parts.get(part).segment();
            long number = parts.get(part).firstBlock() + block;
            if (part == 0) {
                workspace.finish(segment, number, type, values);
            } else {
                workspace.apply(part, segment, number, type, values);
            }
        }
    }

    private void requireSameBlocks(SegmentReader segment) throws DamagedException {
        if (segment.blockBytes(spec.type()) != blockBytes) {
            throw new DamagedException(
                    segment.name(),
                    "blocks of tensor %s: bytes=%d, but bytes=%d in its children"
                            .formatted(spec, segment.blockBytes(spec.type()), blockBytes));
        }
    }
}
