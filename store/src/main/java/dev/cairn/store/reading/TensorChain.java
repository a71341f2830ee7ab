package dev.cairn.store.reading;

import dev.cairn.codec.ElementType;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.store.DamagedException;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.segment.SegmentReader;
import dev.cairn.store.segment.Workspace;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// One tensor in the checkpoints of a chain. Immutable and thread-safe; each thread needs its own [Workspace].
///
/// The frames of a block are read from the newest back to the first that needs no reference, then applied in order.
/// Frames that a later frame overwrites are neither read nor decoded: dropped momentum costs almost nothing, for any
/// length of the chain.
public final class TensorChain {
    private final TensorSpec spec;
    private final List<Part> parts;
    private final Commit oldest;
    private final int blockBytes;

    /// The tensor's blocks in one checkpoint.
    public record Part(SegmentReader segment, long firstBlock) {}

    /// A tensor in these checkpoints.
    ///
    /// @param parts the parts, newest first
    /// @param oldest the checkpoint of the last part: the base, or the one in which the tensor first appeared
    public TensorChain(TensorSpec spec, List<Part> parts, Commit oldest) {
        this.spec = spec;
        this.parts = List.copyOf(parts);
        this.oldest = oldest;
        this.blockBytes = BlockEncoder.blockBytes(spec.type());
    }

    TensorSpec spec() {
        return spec;
    }

    /// The number of bytes of the tensor in a block; the last block may have fewer.
    int blockBytes() {
        return blockBytes;
    }

    long sizeBytes() {
        return spec.sizeBytes();
    }

    /// Fills `values`, which must have exactly the block's size. Their old content does not matter.
    public void read(long block, MemorySegment values, Workspace workspace) throws IOException {
        ElementType type = spec.type();
        workspace.clear();
        int from = 0;
        while (!workspace.load(parts.get(from).segment(), parts.get(from).firstBlock() + block)) {
            from++;
            if (from == parts.size()) {
                throw new DamagedException(
                        RunFiles.record(oldest.number()),
                        "block %d of tensor %s needs a parent that has this block".formatted(block, spec));
            }
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
}
