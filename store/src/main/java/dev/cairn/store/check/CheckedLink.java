package dev.cairn.store.check;

import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.store.DamagedException;
import dev.cairn.store.HealedDamage;
import dev.cairn.store.StoreException;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.BlockRange;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.segment.SegmentReader;
import dev.cairn.store.segment.SegmentRef;
import dev.cairn.store.segment.SegmentSource;
import dev.cairn.store.segment.StateDigest;
import dev.cairn.store.segment.TensorRef;
import dev.cairn.store.segment.Workspace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// One checkpoint during a check: the segments that could be opened, the checksums of the values read so far, and the
/// first damage found. Thread-safe once it is open.
final class CheckedLink implements AutoCloseable {
    /// Before every block, and after all of them.
    private static final long FIRST = -1;

    private static final long LAST = Long.MAX_VALUE;

    private final Commit checkpoint;
    private final LongConsumer readBytes;
    private final List<@Nullable SegmentReader> segments = new ArrayList<>();
    private final List<int[]> checksums = new ArrayList<>();
    private List<TensorRef> tensors = List.of();
    private boolean tensorsFit;
    private @Nullable StoreException damage;
    private long damageOrder = LAST;

    private CheckedLink(Commit checkpoint, LongConsumer readBytes) {
        this.checkpoint = checkpoint;
        this.readBytes = readBytes;
    }

    /// Opens all segments that can be opened. A segment that cannot be opened is damage of this checkpoint, not an
    /// error.
    ///
    /// @param readBytes receives the number of bytes of frames read, from any thread
    static CheckedLink open(CheckpointStore store, Commit checkpoint, LongConsumer readBytes) throws IOException {
        var link = new CheckedLink(checkpoint, readBytes);
        try {
            for (SegmentRef segment : checkpoint.segments()) {
                link.openSegment(store.segments(), segment);
            }
            link.readTensors(store);
            return link;
        } catch (IOException | RuntimeException e) {
            link.close();
            throw e;
        }
    }

    private void openSegment(SegmentSource source, SegmentRef segment) throws IOException {
        try {
            SegmentReader reader = source.open(segment);
            segments.add(reader);
            checksums.add(new int[Math.toIntExact(reader.blockCount())]);
        } catch (StoreException damaged) {
            segments.add(null);
            checksums.add(new int[0]);
            found(FIRST, damaged);
        }
    }

    private void readTensors(CheckpointStore store) throws IOException {
        try {
            tensors = store.manifest(checkpoint).tensors();
            checkTensors();
        } catch (StoreException damaged) {
            found(FIRST, damaged);
        }
    }

    /// The tensors of the checkpoint; empty if its record cannot be read.
    List<TensorRef> tensors() {
        return tensors;
    }

    Commit checkpoint() {
        return checkpoint;
    }

    /// The segment of this tensor; null if the segment is damaged.
    @Nullable
    SegmentReader segment(TensorRef tensor) {
        return tensorsFit ? segments.get(tensor.segment()) : null;
    }

    /// Records damage. Of several findings, the one in the first block is kept.
    synchronized void found(long order, StoreException damaged) {
        if (damage == null || order < damageOrder) {
            damage = damaged;
            damageOrder = order;
        }
    }

    synchronized @Nullable StoreException damage() {
        return damage;
    }

    /// Notes the checksum of the values from a frame whose bytes are intact.
    void noteFrame(TensorRef tensor, long block, int bytes, int valuesCrc) {
        checksums.get(tensor.segment())[(int) block] = valuesCrc;
        readBytes.accept(bytes);
    }

    /// The blocks of a tensor within a segment.
    private record Span(TensorRef tensor, long first, long blocks) {
        boolean isSameAs(Span other) {
            return first == other.first
                    && tensor.spec().type() == other.tensor.spec().type()
                    && tensor.spec().shape().equals(other.tensor.spec().shape());
        }
    }

    /// Checks that the blocks of every tensor lie within its segment, and that only identical tensors share blocks.
    private void checkTensors() {
        try {
            for (TensorRef tensor : tensors) {
                if (tensor.segment() >= segments.size()) {
                    throw damaged("tensor %s is in segment %d of %d"
                            .formatted(tensor.spec().name(), tensor.segment(), segments.size()));
                }
            }
            for (int segment = 0; segment < segments.size(); segment++) {
                long end = 0;
                Span before = null;
                for (Span span : spans(segment)) {
                    if (span.first() < end && (before == null || !span.isSameAs(before))) {
                        throw damaged("tensor %s shares blocks with another tensor"
                                .formatted(span.tensor().spec().name()));
                    }
                    before = span;
                    end = span.first() + span.blocks();
                }
            }
            tensorsFit = true;
        } catch (DamagedException e) {
            found(FIRST, e);
        }
    }

    private List<Span> spans(int segment) throws DamagedException {
        var spans = new ArrayList<Span>();
        SegmentReader reader = segments.get(segment);
        if (reader == null) {
            return spans;
        }
        for (TensorRef tensor : tensors) {
            if (tensor.segment() == segment && tensor.spec().sizeBytes() > 0) {
                long blocks = blocks(tensor.spec());
                // This form of the comparison cannot overflow, however large the claim.
                if (tensor.firstBlock() > reader.blockCount() - blocks) {
                    throw damaged("tensor %s extends beyond the last block"
                            .formatted(tensor.spec().name()));
                }
                spans.add(new Span(tensor, tensor.firstBlock(), blocks));
            }
        }
        spans.sort(Comparator.comparingLong(Span::first));
        return spans;
    }

    private static long blocks(TensorSpec spec) {
        return Math.ceilDiv(spec.sizeBytes(), BlockEncoder.blockBytes(spec.type()));
    }

    /// The ranges of all blocks.
    List<BlockRange> allBlocks() {
        var ranges = new ArrayList<BlockRange>();
        for (SegmentReader segment : segments) {
            if (segment != null) {
                ranges.add(new Checksums(segment, 0, segment.blockCount()));
            }
        }
        return ranges;
    }

    /// The blocks that belong to no tensor. No restore reads them, but they have checksums too.
    List<BlockRange> spareBlocks() throws DamagedException {
        if (!tensorsFit) {
            return allBlocks();
        }
        var ranges = new ArrayList<BlockRange>();
        for (int i = 0; i < segments.size(); i++) {
            SegmentReader segment = segments.get(i);
            if (segment != null) {
                long end = 0;
                for (Span span : spans(i)) {
                    ranges.add(new Checksums(segment, end, span.first()));
                    end = span.first() + span.blocks();
                }
                ranges.add(new Checksums(segment, end, segment.blockCount()));
            }
        }
        ranges.removeIf(range -> range.blocks() <= 0);
        return ranges;
    }

    /// Compares the checksums in all frames with the digest in the record. All frames must have been read.
    void checkDigest() {
        if (damage() != null) {
            return;
        }
        var digests = new ArrayList<String>();
        for (int i = 0; i < checkpoint.segments().size(); i++) {
            SegmentRef segment = checkpoint.segments().get(i);
            String actual = digest(i);
            if (!actual.equals(segment.digest())) {
                found(
                        LAST,
                        damaged("values: expected digest=%s, actual digest=%s".formatted(segment.digest(), actual)));
            }
            digests.add(actual);
        }
        String actual = StateDigest.compose(digests);
        if (!actual.equals(checkpoint.digest())) {
            found(LAST, damaged("values: expected digest=%s, actual digest=%s".formatted(checkpoint.digest(), actual)));
        }
    }

    private String digest(int segment) {
        var digest = new StateDigest();
        var seen = new HashSet<Long>();
        for (TensorRef tensor : tensors) {
            if (tensor.segment() == segment) {
                digest.addTensor(tensor.spec());
                if (tensor.spec().sizeBytes() > 0 && seen.add(tensor.firstBlock())) {
                    int first = (int) tensor.firstBlock();
                    for (int block = 0; block < blocks(tensor.spec()); block++) {
                        digest.addChecksum(checksums.get(segment)[first + block]);
                    }
                }
            }
        }
        return digest.text();
    }

    /// Looks for damage of parity, which no reader of blocks notices.
    void checkParity() throws IOException {
        for (SegmentReader segment : segments) {
            if (segment != null) {
                try {
                    segment.checkParity();
                } catch (StoreException damaged) {
                    found(LAST, damaged);
                }
            }
        }
    }

    /// The damage of its files that did not stop a reader, because the right bits are stored a second time.
    List<HealedDamage> healed() {
        var healed = new ArrayList<HealedDamage>();
        for (SegmentReader segment : segments) {
            if (segment != null) {
                segment.healed().ifPresent(healed::add);
            }
        }
        return healed;
    }

    private DamagedException damaged(String reason) {
        return new DamagedException(RunFiles.record(checkpoint.number()), reason);
    }

    @Override
    public void close() throws IOException {
        for (SegmentReader segment : segments) {
            if (segment != null) {
                segment.close();
            }
        }
    }

    /// A range of blocks that are only compared with their checksums.
    private final class Checksums implements BlockRange {
        private final SegmentReader segment;
        private final long from;
        private final long to;

        Checksums(SegmentReader segment, long from, long to) {
            this.segment = segment;
            this.from = from;
            this.to = to;
        }

        @Override
        public long blocks() {
            return to - from;
        }

        @Override
        public void read(long index, Workspace workspace) throws IOException {
            try {
                workspace.check(segment, from + index);
                readBytes.accept(segment.length(from + index));
            } catch (StoreException damaged) {
                found(from + index, damaged);
            }
        }

        @Override
        public boolean isAccessibleBy(Thread thread) {
            return true;
        }
    }
}
