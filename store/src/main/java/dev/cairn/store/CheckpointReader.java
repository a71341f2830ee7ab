package dev.cairn.store;

import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.LogRecord.SegmentRef;
import dev.cairn.store.LogRecord.TensorRef;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Reads one checkpoint; every byte is checked before it is used. Not thread-safe.
public final class CheckpointReader implements AutoCloseable {
    private final Checkpoint checkpoint;
    private final List<SegmentReader> segments = new ArrayList<>();

    private CheckpointReader(Checkpoint checkpoint) {
        this.checkpoint = checkpoint;
    }

    static CheckpointReader open(BlobStore blobs, Checkpoint checkpoint) throws IOException {
        var reader = new CheckpointReader(checkpoint);
        try {
            long id = CheckpointWriter.parseId(checkpoint);
            for (SegmentRef segment : checkpoint.segments()) {
                reader.segments.add(SegmentReader.open(blobs, segment, id));
            }
            return reader;
        } catch (IOException | RuntimeException e) {
            reader.close();
            throw e;
        }
    }

    /// Fills the target, of exactly the tensor's size, with its values.
    public void read(TensorRef tensor, MemorySegment target) throws IOException {
        if (target.byteSize() != tensor.spec().sizeBytes()) {
            throw new IllegalArgumentException(
                    "tensor %s does not fit into %d bytes".formatted(tensor.spec(), target.byteSize()));
        }
        if (tensor.segment() >= segments.size()) {
            throw new DamagedException(
                    CommitLog.name(checkpoint.number()),
                    "tensor %s is in segment %d of %d"
                            .formatted(tensor.spec().name(), tensor.segment(), segments.size()));
        }
        segments.get(tensor.segment()).read(tensor.spec(), tensor.firstBlock(), target);
    }

    /// Reads and checks every block; the rest of each segment was checked when it was opened.
    public void verify() throws IOException {
        for (SegmentReader segment : segments) {
            for (int block = 0; block < segment.blockCount(); block++) {
                segment.readBlock(block);
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (SegmentReader segment : segments) {
            segment.close();
        }
    }
}
