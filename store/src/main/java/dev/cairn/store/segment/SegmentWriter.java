package dev.cairn.store.segment;

import static dev.cairn.store.segment.SegmentFormat.INDEX_ENTRY_BYTES;
import static dev.cairn.store.segment.SegmentFormat.U32;

import dev.cairn.codec.Crc32c;
import dev.cairn.codec.huffman.TableSet;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.BlobStore.BlobWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;

/// Writes one segment: blocks in order, each with its checksum. The segment is durable after [#finish], and is
/// removed if the writer is closed before.
public final class SegmentWriter implements AutoCloseable {
    private final SegmentName name;
    private final BlobWriter blob;
    private int[] index = new int[64];
    private int entries;
    private long sizeBytes;

    private SegmentWriter(SegmentName name, BlobWriter blob) {
        this.name = name;
        this.blob = blob;
    }

    /// Encodes and writes the segment with this name. It is durable when this returns.
    public static Staged write(BlobStore blobs, SegmentName name, Contents contents) throws IOException {
        try (var writer = start(blobs, name)) {
            var digest = new OrderedDigest(contents.tensors());
            var bytes = new HashMap<String, Long>();
            new ParallelWrite(contents, (tensor, frame, crc) -> {
                        digest.add(tensor, frame.contents());
                        writer.appendBlock(frame.contents(), crc);
                        bytes.merge(tensor.spec().key(), frame.contents().byteSize(), Long::sum);
                    })
                    .run();
            SegmentRef segment = writer.finish(contents.tables(), digest.text());
            return new Staged(name.number(), segment, contents.layOut(bytes));
        }
    }

    /// Computes the digest of tensors, some of which have no blocks of their own.
    private static final class OrderedDigest {
        private final Iterator<TensorSource> rest;
        private final StateDigest digest = new StateDigest();
        private String current = "";
        private boolean begun;

        OrderedDigest(List<TensorSource> tensors) {
            this.rest = tensors.iterator();
        }

        void add(TensorSource tensor, MemorySegment frame) {
            while (!begun || !current.equals(tensor.spec().key())) {
                begun = true;
                TensorSpec next = rest.next().spec();
                current = next.key();
                digest.addTensor(next);
            }
            digest.addFrame(frame);
        }

        String text() {
            rest.forEachRemaining(tensor -> digest.addTensor(tensor.spec()));
            return digest.text();
        }
    }

    /// Starts the segment with this name.
    static SegmentWriter start(BlobStore blobs, SegmentName name) throws IOException {
        var writer = new SegmentWriter(name, blobs.write(name.file()));
        try {
            writer.append(SegmentFormat.header(name.random()));
            return writer;
        } catch (IOException | RuntimeException e) {
            writer.close();
            throw e;
        }
    }

    /// Appends the frame of one block, which has this checksum.
    void appendBlock(MemorySegment frame, int crc) throws IOException {
        addEntry(Math.toIntExact(frame.byteSize()), crc);
        append(frame);
    }

    /// @param tables the code tables that the blocks refer to
    /// @param digest the digest of the values
    SegmentRef finish(TableSet tables, String digest) throws IOException {
        MemorySegment set = MemorySegment.ofArray(tables.toBytes());
        appendBlock(set, Crc32c.of(set));
        MemorySegment table = MemorySegment.ofArray(new byte[entries / 2 * INDEX_ENTRY_BYTES]);
        for (int i = 0; i < entries; i++) {
            table.set(U32, 4L * i, index[i]);
        }
        int indexCrc = Crc32c.of(table);
        append(table);
        append(SegmentFormat.footer(entries / 2, indexCrc));
        blob.finish();
        return new SegmentRef(name.file(), name.random(), sizeBytes, indexCrc, digest);
    }

    @Override
    public void close() throws IOException {
        blob.close();
    }

    private void append(MemorySegment bytes) throws IOException {
        blob.append(bytes);
        sizeBytes += bytes.byteSize();
    }

    private void addEntry(int length, int crc) {
        if (entries == index.length) {
            index = Arrays.copyOf(index, 2 * index.length);
        }
        index[entries++] = length;
        index[entries++] = crc;
    }
}
