package dev.cairn.store.check;

import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.store.DamagedException;
import dev.cairn.store.StoreException;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.reading.BlockRange;
import dev.cairn.store.reading.TensorChain;
import dev.cairn.store.segment.SegmentReader;
import dev.cairn.store.segment.TensorRef;
import dev.cairn.store.segment.Workspace;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One tensor in the checkpoints of a chain. Each of its blocks is decoded frame by frame, and the values after each
/// frame are compared with the checksum in the frame. After a damaged frame, the check continues with the later ones
/// as far as possible.
final class TensorTrack implements BlockRange {
    private final TensorSpec spec;
    private final int blockBytes;
    private final List<Part> parts;
    private final boolean begins;
    private final @Nullable TensorChain known;

    /// The tensor in one checkpoint.
    ///
    /// @param segment null if the segment is damaged
    record Part(CheckedLink link, @Nullable SegmentReader segment, TensorRef tensor) {}

    /// @param parts the parts, oldest first; each has the tensor, in blocks of the same size
    /// @param known the number of parts at the start that were checked before, and are read only because the others
    ///     need them
    TensorTrack(List<Part> parts, int known) {
        this.spec = parts.getFirst().tensor().spec();
        this.blockBytes = BlockEncoder.blockBytes(spec.type());
        this.parts = List.copyOf(parts.subList(known, parts.size()));
        this.begins = known == 0;
        this.known = known == 0 ? null : chain(parts.subList(0, known));
    }

    /// The chain of the newest parts, back to the first one that cannot be read; null if the newest part cannot be
    /// read.
    private static @Nullable TensorChain chain(List<Part> parts) {
        var newestFirst = new ArrayList<TensorChain.Part>();
        var oldest = parts.getLast().link().checkpoint();
        for (Part part : parts.reversed()) {
            SegmentReader segment = part.segment();
            if (segment == null) {
                break;
            }
            newestFirst.add(new TensorChain.Part(segment, part.tensor().firstBlock()));
            oldest = part.link().checkpoint();
        }
        return newestFirst.isEmpty()
                ? null
                : new TensorChain(parts.getFirst().tensor().spec(), newestFirst, oldest);
    }

    /// Zero if no segment could be opened: the number of blocks that the record claims may be wrong, and is not
    /// used.
    @Override
    public long blocks() {
        return parts.stream().allMatch(part -> part.segment() == null) ? 0 : Math.ceilDiv(spec.sizeBytes(), blockBytes);
    }

    @Override
    public boolean isAccessibleBy(Thread thread) {
        return true;
    }

    @Override
    public void read(long block, Workspace workspace) throws IOException {
        MemorySegment values = workspace.values(Math.min(blockBytes, spec.sizeBytes() - block * blockBytes));
        boolean held = readKnown(block, values, workspace);
        for (int i = 0; i < parts.size(); i++) {
            boolean oldest = i == 0 && begins;
            held = advance(parts.get(i), block, held, oldest, values, workspace);
        }
    }

    /// Ignores damage here: it was reported when these parts were checked.
    private boolean readKnown(long block, MemorySegment values, Workspace workspace) throws IOException {
        if (known == null) {
            return false;
        }
        try {
            known.read(block, values, workspace);
            return true;
        } catch (StoreException told) {
            return false;
        }
    }

    /// Returns whether the buffer now holds the values of this checkpoint.
    private boolean advance(
            Part part, long block, boolean held, boolean oldest, MemorySegment values, Workspace workspace)
            throws IOException {
        SegmentReader segment = part.segment();
        if (segment == null) {
            return false;
        }
        long number = part.tensor().firstBlock() + block;
        try {
            workspace.clear();
            boolean alone = workspace.load(segment, number);
            part.link().noteFrame(part.tensor(), number, segment.length(number), workspace.valuesCrc());
            if (oldest && !alone) {
                throw new DamagedException(
                        RunFiles.record(part.link().checkpoint().number()),
                        "block %d of tensor %s needs a parent that has this block".formatted(block, spec));
            }
            if (alone || held) {
                workspace.finish(segment, number, spec.type(), values);
                return true;
            }
        } catch (StoreException damaged) {
            part.link().found(number, damaged);
        }
        return false;
    }
}
