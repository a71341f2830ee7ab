package dev.cairn.store.segment;

import static dev.cairn.store.segment.SegmentFormat.INDEX_ENTRY_BYTES;
import static dev.cairn.store.segment.SegmentFormat.U32;

import dev.cairn.codec.Crc32c;
import dev.cairn.codec.block.SegmentTables;
import dev.cairn.codec.parity.ParityBuilder;
import dev.cairn.codec.parity.ParityLayout;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.BlobStore.BlobWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;

/// Writes one segment: blocks in order, each with its checksum, then parity. The segment is durable after [#finish],
/// and is
/// removed if the writer is closed before.
public final class SegmentWriter implements AutoCloseable {
    private final SegmentName name;
    private final BlobWriter blob;
    private final ParityBuilder parity;
    private int[] index = new int[64];
    private int entries;

    private SegmentWriter(SegmentName name, BlobWriter blob, long mostBytes) {
        this.name = name;
        this.blob = blob;
        this.parity = new ParityBuilder(mostBytes);
    }

    /// Encodes and writes the segment with this name. It is durable when this returns.
    public static Staged write(BlobStore blobs, SegmentName name, Contents contents) throws IOException {
        try (var writer = start(blobs, name, contents.mostBytes())) {
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
    ///
    /// @param mostBytes the size that the contents will not exceed
    static SegmentWriter start(BlobStore blobs, SegmentName name, long mostBytes) throws IOException {
        var writer = new SegmentWriter(name, blobs.write(name.file()), mostBytes);
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

    /// @param tables what the blocks share and refer to
    /// @param digest the digest of the values
    SegmentRef finish(SegmentTables tables, String digest) throws IOException {
        MemorySegment shared = MemorySegment.ofArray(tables.toBytes());
        appendBlock(shared, Crc32c.of(shared));
        MemorySegment table = MemorySegment.ofArray(new byte[entries / 2 * INDEX_ENTRY_BYTES]);
        for (int i = 0; i < entries; i++) {
            table.set(U32, 4L * i, index[i]);
        }
        int indexCrc = Crc32c.of(table);
        append(table);
        append(SegmentFormat.footer(entries / 2, indexCrc));
        ParityLayout layout = parity.finish((bytes, from, length) ->
                blob.append(MemorySegment.ofArray(bytes).asSlice(from, length)));
        blob.finish();
        return new SegmentRef(name.file(), name.random(), layout, indexCrc, digest);
    }

    @Override
    public void close() throws IOException {
        blob.close();
    }

    private void append(MemorySegment bytes) throws IOException {
        blob.append(bytes);
        parity.append(bytes);
    }

    private void addEntry(int length, int crc) {
        if (entries == index.length) {
            index = Arrays.copyOf(index, 2 * index.length);
        }
        index[entries++] = length;
        index[entries++] = crc;
    }
}
