package dev.cairn.store;

import dev.cairn.codec.ElementType;
import dev.cairn.codec.block.BlockDecoder;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.LogRecord.SegmentRef;
import dev.cairn.store.LogRecord.TensorRef;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Reads one checkpoint through its chain: block by block, the base first, then every delta on top while the block is
/// in
/// cache. Every byte is checked before it is used. Not thread-safe.
public final class CheckpointReader implements AutoCloseable {
    private final List<Link> links = new ArrayList<>();
    private final BlockDecoder decoder = new BlockDecoder();

    /// One checkpoint of the chain with its open segments.
    private record Link(Checkpoint checkpoint, Map<String, TensorRef> tensors, List<SegmentReader> segments) {
        SegmentReader segment(TensorRef tensor) throws DamagedException {
            if (tensor.segment() >= segments.size()) {
                throw new DamagedException(
                        CommitLog.name(checkpoint.number()),
                        "tensor %s is in segment %d of %d"
                                .formatted(tensor.spec().name(), tensor.segment(), segments.size()));
            }
            return segments.get(tensor.segment());
        }
    }

    private CheckpointReader() {}

    /// @param chain the base first
    static CheckpointReader open(BlobStore blobs, List<Checkpoint> chain) throws IOException {
        var reader = new CheckpointReader();
        try {
            for (Checkpoint checkpoint : chain) {
                var tensors = new HashMap<String, TensorRef>();
                checkpoint.tensors().forEach(tensor -> tensors.put(tensor.spec().name(), tensor));
                var link = new Link(checkpoint, tensors, new ArrayList<>());
                reader.links.add(link);
                long id = CheckpointWriter.parseId(checkpoint);
                for (SegmentRef segment : checkpoint.segments()) {
                    link.segments().add(SegmentReader.open(blobs, segment, id));
                }
            }
            return reader;
        } catch (IOException | RuntimeException e) {
            reader.close();
            throw e;
        }
    }

    /// Fills the target, of exactly the tensor's size, with its values.
    public void read(TensorSpec spec, MemorySegment target) throws IOException {
        if (target.byteSize() != spec.sizeBytes()) {
            throw new IllegalArgumentException(
                    "tensor %s does not fit into %d bytes".formatted(spec, target.byteSize()));
        }
        ElementType type = spec.type();
        long block = 0;
        for (long offset = 0; offset < target.byteSize(); block++) {
            long length = Math.min(blockBytes(spec), target.byteSize() - offset);
            MemorySegment values = target.asSlice(offset, length);
            for (Link link : links) {
                TensorRef tensor = tensor(link, spec);
                link.segment(tensor).apply(tensor.firstBlock() + block, type, decoder, values);
            }
            offset += length;
        }
    }

    /// Reads and checks every block of the checkpoint itself; the rest of each segment was checked when it was opened.
    public void verify() throws IOException {
        Link tip = links.getLast();
        for (TensorRef tensor : tip.checkpoint().tensors()) {
            SegmentReader segment = tip.segment(tensor);
            int blockBytes = segment.blockBytes(tensor.spec().type());
            long blocks = Math.ceilDiv(tensor.spec().sizeBytes(), blockBytes);
            // Compared so that no claim, however large, overflows.
            if (tensor.firstBlock() > segment.blockCount() - blocks) {
                throw new DamagedException(
                        CommitLog.name(tip.checkpoint().number()),
                        "tensor %s reaches beyond the last block"
                                .formatted(tensor.spec().name()));
            }
        }
        for (SegmentReader segment : links.getLast().segments()) {
            for (long block = 0; block < segment.blockCount(); block++) {
                segment.checkBlock(block);
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (Link link : links) {
            for (SegmentReader segment : link.segments()) {
                segment.close();
            }
        }
    }

    private int blockBytes(TensorSpec spec) throws DamagedException {
        Link base = links.getFirst();
        return base.segment(tensor(base, spec)).blockBytes(spec.type());
    }

    private static TensorRef tensor(Link link, TensorSpec spec) throws DamagedException {
        TensorRef tensor = link.tensors().get(spec.name());
        if (tensor == null || !tensor.spec().equals(spec)) {
            throw new DamagedException(
                    CommitLog.name(link.checkpoint().number()), "tensor %s is not in it".formatted(spec));
        }
        return tensor;
    }
}
