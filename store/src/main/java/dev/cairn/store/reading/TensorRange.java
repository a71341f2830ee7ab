package dev.cairn.store.reading;

import dev.cairn.store.segment.Workspace;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A range of a tensor and its target memory, block by block: whole blocks are decoded straight into the target,
/// blocks at the edges are decoded into other memory first. Immutable.
///
/// @param offset the offset of the first byte within the tensor
record TensorRange(TensorChain chain, long offset, MemorySegment target) implements BlockRange {
    TensorRange {
        if (offset < 0 || offset > chain.sizeBytes() - target.byteSize()) {
            throw new IllegalArgumentException("range outside its tensor: offset=%d bytes=%d tensorBytes=%d"
                    .formatted(offset, target.byteSize(), chain.sizeBytes()));
        }
    }

    @Override
    public long blocks() {
        return target.byteSize() == 0 ? 0 : (offset + target.byteSize() - 1) / chain.blockBytes() - firstBlock() + 1;
    }

    /// Reads the part of the range that is in the block with this index.
    @Override
    public void read(long index, Workspace workspace) throws IOException {
        long block = firstBlock() + index;
        long start = block * chain.blockBytes();
        long length = Math.min(chain.blockBytes(), chain.sizeBytes() - start);
        long from = Math.max(start, offset);
        long to = Math.min(start + length, offset + target.byteSize());
        MemorySegment part = target.asSlice(from - offset, to - from);
        if (to - from == length) {
            chain.read(block, part, workspace);
            return;
        }
        MemorySegment whole = workspace.values(length);
        chain.read(block, whole, workspace);
        part.copyFrom(whole.asSlice(from - start, to - from));
    }

    @Override
    public boolean isAccessibleBy(Thread thread) {
        return target.isAccessibleBy(thread);
    }

    private long firstBlock() {
        return offset / chain.blockBytes();
    }
}
