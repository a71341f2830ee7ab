package dev.cairn.transfer;

import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.TensorFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Gives the blocks of a file's tensors to several threads, which request them nearly in order. The file is read
/// once, from beginning to end, and the last few blocks stay in memory. So checksums of whole tensors are
/// verified, and compressed data is decompressed once.
final class BlockWindow {
    private final TensorFile file;
    private final List<NamedTensor> tensors;
    private final MemorySegment[] slots;
    private final long[] held;
    private int tensor;
    private long offset;
    private long loaded;

    /// @param size the number of blocks in memory
    BlockWindow(TensorFile file, int size, Arena arena) {
        this.file = file;
        this.tensors = file.tensors();
        this.slots = new MemorySegment[size];
        this.held = new long[size];
        for (int i = 0; i < size; i++) {
            slots[i] = arena.allocate(BlockEncoder.BLOCK_BYTES, 64);
            held[i] = -1;
        }
    }

    /// Copies block `number`, counted over all tensors that have blocks, to the target.
    synchronized void read(long number, MemorySegment target) throws IOException {
        while (loaded <= number) {
            loadNext();
        }
        int slot = (int) (number % slots.length);
        if (held[slot] != number) {
            throw new IllegalStateException("block %d is out of the window of %d".formatted(number, slots.length));
        }
        target.copyFrom(slots[slot].asSlice(0, target.byteSize()));
    }

    private void loadNext() throws IOException {
        while (offset == tensors.get(tensor).sizeBytes()) {
            tensor++;
            offset = 0;
        }
        NamedTensor now = tensors.get(tensor);
        long length = Math.min(BlockEncoder.blockBytes(now.type()), now.sizeBytes() - offset);
        int slot = (int) (loaded % slots.length);
        held[slot] = -1;
        file.read(now, offset, slots[slot].asSlice(0, length));
        held[slot] = loaded;
        offset += length;
        loaded++;
    }
}
