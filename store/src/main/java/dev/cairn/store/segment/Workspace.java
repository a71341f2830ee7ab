package dev.cairn.store.segment;

import dev.cairn.codec.ElementType;
import dev.cairn.codec.block.BlockDecoder;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The memory that one thread needs to read blocks: the frames of one block, a decoder, and one block of values.
/// Reused from block to block; at most 12 MiB for any size of the state and any length of the chain. Not thread-safe.
public final class Workspace {
    /// In longer chains of large frames, only the newest frames are kept between the two passes; the others are
    /// read twice.
    private static final int MOST_KEPT_BYTES = 4 << 20;

    /// Decoders may read beyond the end of a frame.
    private static final int SLACK = 64;

    private static final int DROPPED = -1;

    private final BlockDecoder decoder = new BlockDecoder();
    private byte[] kept = new byte[1 << 12];
    private int keptBytes;
    private int[] starts = new int[16];
    private int count;
    private byte[] other = new byte[0];
    private MemorySegment values = MemorySegment.NULL;

    /// Starts a block.
    public void clear() {
        keptBytes = 0;
        count = 0;
    }

    /// Reads and checks the next older frame. Returns whether it needs no frame before it.
    public boolean load(SegmentReader segment, long block) throws IOException {
        int length = segment.length(block);
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, 2 * count);
        }
        if (count > 0 && keptBytes + length > MOST_KEPT_BYTES) {
            starts[count++] = DROPPED;
            readOther(segment, block, length);
            return BlockDecoder.standsAlone(other, 0, length);
        }
        if (kept.length < keptBytes + length + SLACK) {
            int most = Math.min(2 * kept.length, MOST_KEPT_BYTES + SLACK);
            kept = Arrays.copyOf(kept, Math.max(keptBytes + length + SLACK, most));
        }
        segment.read(block, kept, keptBytes);
        starts[count++] = keptBytes;
        keptBytes += length;
        return BlockDecoder.standsAlone(kept, starts[count - 1], starts[count - 1] + length);
    }

    /// Applies the frame that was loaded as number `index`. Newer frames must follow.
    public void apply(int index, SegmentReader segment, long block, ElementType type, MemorySegment target)
            throws IOException {
        int length = segment.length(block);
        if (starts[index] == DROPPED) {
            readOther(segment, block, length);
            segment.apply(block, other, 0, type, decoder, target);
        } else {
            segment.apply(block, kept, starts[index], type, decoder, target);
        }
    }

    /// Applies the newest frame, and compares the values with the checksum that the writer computed of its own
    /// values.
    public void finish(SegmentReader segment, long block, ElementType type, MemorySegment target) throws IOException {
        segment.finish(block, kept, starts[0], type, decoder, target);
    }

    /// The checksum of the values in the frame that was loaded last and kept.
    public int valuesCrc() {
        return keptBytes < Integer.BYTES
                ? 0
                : MemorySegment.ofArray(kept).get(SegmentFormat.U32, keptBytes - (long) Integer.BYTES);
    }

    /// Reads a block, compares it with its checksum, and discards it.
    public void check(SegmentReader segment, long block) throws IOException {
        readOther(segment, block, segment.length(block));
    }

    /// Returns memory for a block of which only a part is needed.
    public MemorySegment values(long bytes) {
        if (values.byteSize() < bytes) {
            values = Arena.ofAuto().allocate(bytes, 64);
        }
        return values.asSlice(0, bytes);
    }

    private void readOther(SegmentReader segment, long block, int length) throws IOException {
        if (other.length < length + SLACK) {
            other = new byte[length + SLACK];
        }
        segment.read(block, other, 0);
    }
}
