package dev.cairn.store.reading;

import dev.cairn.store.DamagedException;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.segment.Workspace;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/// The contribution of a stored part to a range of a wanted tensor, block by block of the part. Blocks that lie in
/// one run are decoded straight into the target, others are decoded into other memory first. Blocks that contribute
/// nothing are not read. Immutable.
final class PartRange implements BlockRange {
    private final TensorChain part;
    private final Runs runs;
    private final long offset;
    private final MemorySegment target;
    private final Use use;
    private final long firstRun;
    private final long endRun;
    private final long firstBlock;
    private final long blocks;

    /// How the values are used.
    sealed interface Use {
        /// The values are written to the target.
        record Fill() implements Use {}

        /// The target already has the values from another part: they must be the same.
        ///
        /// @param record the record of the checkpoint that has the parts
        record Compare(String record) implements Use {}

        /// The same comparison, which goes on after a difference.
        ///
        /// @param differing receives the part that differs, from any thread
        record Note(Consumer<TensorSpec> differing) implements Use {}
    }

    /// @param offset the offset of the target's first byte within the wanted tensor
    PartRange(TensorChain part, Runs runs, long offset, MemorySegment target, Use use) {
        this.part = part;
        this.runs = runs;
        this.offset = offset;
        this.target = target;
        this.use = use;
        this.firstRun = runs.firstAfterInWanted(offset);
        this.endRun = endRun();
        if (firstRun < endRun) {
            this.firstBlock = fromInPart(firstRun) / part.blockBytes();
            this.blocks = (toInPart(endRun - 1) - 1) / part.blockBytes() - firstBlock + 1;
        } else {
            this.firstBlock = 0;
            this.blocks = 0;
        }
    }

    private long endRun() {
        long end = offset + target.byteSize();
        long last = runs.firstAfterInWanted(end);
        return last < runs.count() && runs.inWanted(last) < end ? last + 1 : last;
    }

    /// The offset, within the stored part, of the first byte of a run that goes into the target.
    private long fromInPart(long run) {
        return runs.inPart(run) + Math.max(0, offset - runs.inWanted(run));
    }

    private long toInPart(long run) {
        return runs.inPart(run) + Math.min(runs.bytes(), offset + target.byteSize() - runs.inWanted(run));
    }

    @Override
    public long blocks() {
        return blocks;
    }

    @Override
    public void read(long index, Workspace workspace) throws IOException {
        long block = firstBlock + index;
        long start = block * part.blockBytes();
        long end = Math.min(start + part.blockBytes(), part.sizeBytes());
        long run = Math.max(firstRun, runs.firstAfterInPart(start));
        if (run >= endRun || fromInPart(run) >= end) {
            return;
        }
        if (use instanceof Use.Fill && fromInPart(run) <= start && end <= toInPart(run)) {
            part.read(block, target.asSlice(inTarget(run, start), end - start), workspace);
            return;
        }
        MemorySegment values = workspace.values(end - start);
        part.read(block, values, workspace);
        for (; run < endRun && fromInPart(run) < end; run++) {
            long from = Math.max(start, fromInPart(run));
            long to = Math.min(end, toInPart(run));
            if (from < to) {
                use(values.asSlice(from - start, to - from), target.asSlice(inTarget(run, from), to - from));
            }
        }
    }

    private long inTarget(long run, long byteOfPart) {
        return byteOfPart - runs.inPart(run) + runs.inWanted(run) - offset;
    }

    private void use(MemorySegment values, MemorySegment place) throws DamagedException {
        switch (use) {
            case Use.Fill() -> place.copyFrom(values);
            case Use.Compare(String record) -> {
                if (place.mismatch(values) >= 0) {
                    throw new DamagedException(
                            record,
                            "parts of a tensor overlap and differ: %s has other values than an earlier part"
                                    .formatted(part.spec()));
                }
            }
            case Use.Note(Consumer<TensorSpec> differing) -> {
                if (place.mismatch(values) >= 0) {
                    differing.accept(part.spec());
                }
            }
        }
    }

    @Override
    public boolean isAccessibleBy(Thread thread) {
        return target.isAccessibleBy(thread);
    }
}
