package dev.cairn.store;

import dev.cairn.codec.ElementType;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.LogRecord.SegmentRef;
import dev.cairn.store.LogRecord.TensorRef;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// One checkpoint while it is checked: its segments as far as they open, the checksums of its values as far as they
/// are read, and the first damage found. Safe for several threads, once it is open.
final class CheckedLink implements AutoCloseable {
    /// Before every block, and after all of them.
    private static final long FIRST = -1;

    private static final long LAST = Long.MAX_VALUE;

    private final Checkpoint checkpoint;
    private final LongConsumer readBytes;
    private final List<@Nullable SegmentReader> segments = new ArrayList<>();
    private final List<int[]> checksums = new ArrayList<>();
    private boolean tensorsFit;
    private @Nullable StoreException damage;
    private long damageOrder = LAST;

    private CheckedLink(Checkpoint checkpoint, LongConsumer readBytes) {
        this.checkpoint = checkpoint;
        this.readBytes = readBytes;
    }

    /// Opens what opens; what does not is damage of this checkpoint, no error.
    ///
    /// @param readBytes told how many bytes of frames were read, from any thread
    static CheckedLink open(BlobStore blobs, Checkpoint checkpoint, LongConsumer readBytes) throws IOException {
        var link = new CheckedLink(checkpoint, readBytes);
        try {
            for (SegmentRef segment : checkpoint.segments()) {
                link.openSegment(blobs, segment);
            }
            link.checkTensors();
            return link;
        } catch (IOException | RuntimeException e) {
            link.close();
            throw e;
        }
    }

    private void openSegment(BlobStore blobs, SegmentRef segment) throws IOException {
        try {
            var reader = SegmentReader.open(blobs, segment, CheckpointWriter.parseId(checkpoint));
            segments.add(reader);
            checksums.add(new int[Math.toIntExact(reader.blockCount())]);
        } catch (StoreException damaged) {
            segments.add(null);
            checksums.add(new int[0]);
            found(FIRST, damaged);
        }
    }

    Checkpoint checkpoint() {
        return checkpoint;
    }

    /// The segment of this tensor; null where it is damaged.
    @Nullable
    SegmentReader segment(TensorRef tensor) {
        return tensorsFit ? segments.get(tensor.segment()) : null;
    }

    /// Remembers damage; of several findings the one in the first block is kept.
    synchronized void found(long order, StoreException damaged) {
        if (damage == null || order < damageOrder) {
            damage = damaged;
            damageOrder = order;
        }
    }

    synchronized @Nullable StoreException damage() {
        return damage;
    }

    /// A frame was read, and its bytes are right: this is what it says of the values.
    void noteFrame(TensorRef tensor, long block, int bytes, int valuesCrc) {
        checksums.get(tensor.segment())[(int) block] = valuesCrc;
        readBytes.accept(bytes);
    }

    /// A tensor's blocks within a segment.
    private record Span(TensorRef tensor, long first, long blocks) {
        boolean isSameAs(Span other) {
            return first == other.first
                    && tensor.spec().type() == other.tensor.spec().type()
                    && tensor.spec().shape().equals(other.tensor.spec().shape());
        }
    }

    /// Every tensor has its blocks within its segment, and shares them only with tensors that are the same.
    private void checkTensors() {
        try {
            for (TensorRef tensor : checkpoint.tensors()) {
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
                        throw damaged("tensor %s has blocks of another"
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
        for (TensorRef tensor : checkpoint.tensors()) {
            if (tensor.segment() == segment && tensor.spec().sizeBytes() > 0) {
                long blocks = blocks(reader, tensor.spec());
                // Compared so that no claim, however large, overflows.
                if (tensor.firstBlock() > reader.blockCount() - blocks) {
                    throw damaged("tensor %s reaches beyond the last block"
                            .formatted(tensor.spec().name()));
                }
                spans.add(new Span(tensor, tensor.firstBlock(), blocks));
            }
        }
        spans.sort(Comparator.comparingLong(Span::first));
        return spans;
    }

    private static long blocks(SegmentReader segment, TensorSpec spec) {
        ElementType type = spec.type();
        return Math.ceilDiv(spec.sizeBytes(), segment.blockBytes(type));
    }

    /// All blocks.
    List<BlockRange> allBlocks() {
        var ranges = new ArrayList<BlockRange>();
        for (SegmentReader segment : segments) {
            if (segment != null) {
                ranges.add(new Checksums(segment, 0, segment.blockCount()));
            }
        }
        return ranges;
    }

    /// The blocks that no tensor has: nobody restores them, and still they have checksums.
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

    /// Compares what all frames say of the values with what the record says. All must have been read.
    void checkDigest() {
        if (damage() != null || checkpoint.digest().isEmpty()) {
            return;
        }
        var digest = new StateDigest();
        var seen = new HashSet<List<Long>>();
        for (TensorRef tensor : checkpoint.tensors()) {
            digest.addTensor(tensor.spec());
            SegmentReader segment = segment(tensor);
            if (segment != null
                    && tensor.spec().sizeBytes() > 0
                    && seen.add(List.of((long) tensor.segment(), tensor.firstBlock()))) {
                int first = (int) tensor.firstBlock();
                for (int block = 0; block < blocks(segment, tensor.spec()); block++) {
                    digest.addChecksum(checksums.get(tensor.segment())[first + block]);
                }
            }
        }
        String actual = digest.text();
        if (!actual.equals(checkpoint.digest())) {
            found(LAST, damaged("values: expected digest=%s, actual digest=%s".formatted(checkpoint.digest(), actual)));
        }
    }

    private DamagedException damaged(String reason) {
        return new DamagedException(CommitLog.name(checkpoint.number()), reason);
    }

    @Override
    public void close() throws IOException {
        for (SegmentReader segment : segments) {
            if (segment != null) {
                segment.close();
            }
        }
    }

    /// Blocks that are compared with their checksums, and no more.
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
