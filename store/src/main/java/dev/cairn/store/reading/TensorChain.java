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

/// One tensor in the checkpoints of a chain. Immutable and safe for several threads, each with a [Workspace] of
/// its own.
///
/// The frames of a block are read from the newest back to the first that needs no reference, then applied in order.
/// What a later frame overwrites is neither read nor decoded: dropped momentum costs next to nothing, however long the
/// chain.
public final class TensorChain {
    private final TensorSpec spec;
    private final List<Part> parts;
    private final Commit oldest;
    private final int blockBytes;

    /// The tensor's blocks in one checkpoint.
    public record Part(SegmentReader segment, long firstBlock) {}

    /// A tensor in these checkpoints.
    ///
    /// @param parts the newest first
    /// @param oldest the checkpoint of the last part: the base, or the one in which the tensor came up
    public TensorChain(TensorSpec spec, List<Part> parts, Commit oldest) {
        this.spec = spec;
        this.parts = List.copyOf(parts);
        this.oldest = oldest;
        this.blockBytes = BlockEncoder.blockBytes(spec.type());
    }

    TensorSpec spec() {
        return spec;
    }

    /// How many bytes of the tensor a block stands for; the last may stand for fewer.
    int blockBytes() {
        return blockBytes;
    }

    long sizeBytes() {
        return spec.sizeBytes();
    }

    /// Fills `values`, of exactly the block's size, whatever they hold.
    public void read(long block, MemorySegment values, Workspace workspace) throws IOException {
        ElementType type = spec.type();
        workspace.clear();
        int from = 0;
        while (!workspace.load(parts.get(from).segment(), parts.get(from).firstBlock() + block)) {
            from++;
            if (from == parts.size()) {
                throw new DamagedException(
                        RunFiles.record(oldest.number()),
                        "block %d of tensor %s needs a parent that has it".formatted(block, spec));
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
