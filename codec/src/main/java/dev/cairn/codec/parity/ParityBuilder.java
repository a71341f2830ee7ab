package dev.cairn.codec.parity;

import dev.cairn.codec.Crc32c;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.zip.CRC32C;

/// Computes the parity of contents while they are written. Contents up to 1 MiB are kept, and combined at the end.
/// Larger ones are combined at once, in more groups than may be needed: halving their number at the end is one pass
/// over the parity. Needs 1 MiB, and a fiftieth of the largest possible contents at most. For one thread at a time.
public final class ParityBuilder {
    /// A part of the parity. Parts that the contents never reach take no memory.
    private static final int SLAB_BYTES = 1 << 20;

    private static final int CHUNK = ParityLayout.LARGE_CHUNK;

    private final long mostBytes;
    private final CRC32C crc = new CRC32C();
    private byte[] head = new byte[1 << 12];
    private long size;
    private byte[][] slabs = new byte[0][];
    private long period;
    private int[] checksums = new int[64];
    private int count;

    /// Receives what comes after the contents, in order.
    ///
    /// @param <E> what the receiver may throw
    public interface Sink<E extends Exception> {
        /// Takes bytes that stay unchanged until this returns.
        void append(byte[] bytes, int from, int length) throws E;
    }

    /// @param mostBytes the size that the contents will not exceed; larger ones heal smaller regions
    public ParityBuilder(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /// Adds the next bytes of the contents.
    public void append(MemorySegment bytes) {
        if (bytes.heapBase().orElse(null) instanceof byte[] array) {
            append(array, Math.toIntExact(bytes.address()), Math.toIntExact(bytes.byteSize()));
        } else {
            byte[] copy = bytes.toArray(ValueLayout.JAVA_BYTE);
            append(copy, 0, copy.length);
        }
    }

    /// Adds the next bytes of the contents.
    void append(byte[] bytes, int from, int length) {
        if (size + length <= ParityLayout.SMALL_BYTES) {
            keep(bytes, from, length);
        } else {
            if (period == 0) {
                combineHead();
            }
            combine(bytes, from, length);
        }
    }

    private void keep(byte[] bytes, int from, int length) {
        int end = (int) size + length;
        if (end > head.length) {
            head = Arrays.copyOf(head, Math.max(end, Math.min(2 * head.length, ParityLayout.SMALL_BYTES)));
        }
        System.arraycopy(bytes, from, head, (int) size, length);
        size = end;
    }

    private void combineHead() {
        ParityLayout widest = ParityLayout.of(Math.max(mostBytes, ParityLayout.SMALL_BYTES + 1L));
        period = widest.parityBytes();
        slabs = new byte[Math.toIntExact(Math.ceilDiv(period, SLAB_BYTES))][];
        int kept = (int) size;
        size = 0;
        combine(head, 0, kept);
        head = new byte[0];
    }

    private void combine(byte[] bytes, int from, int length) {
        int done = 0;
        while (done < length) {
            long place = size % period;
            int inSlab = (int) (place % SLAB_BYTES);
            int inChunk = (int) (size % CHUNK);
            int piece = Math.min(length - done, CHUNK - inChunk);
            Xor.into(slab(place), inSlab, bytes, from + done, piece);
            crc.update(bytes, from + done, piece);
            size += piece;
            done += piece;
            if (inChunk + piece == CHUNK) {
                note((int) crc.getValue());
                crc.reset();
            }
        }
    }

    private byte[] slab(long place) {
        int index = (int) (place / SLAB_BYTES);
        if (slabs[index] == null) {
            slabs[index] = new byte[(int) Math.min(SLAB_BYTES, period)];
        }
        return slabs[index];
    }

    private void note(int checksum) {
        if (count == checksums.length) {
            checksums = Arrays.copyOf(checksums, 2 * count);
        }
        checksums[count++] = checksum;
    }

    /// Hands over everything that follows the contents, and returns the layout of the file. Nothing may be appended
    /// afterwards.
    public <E extends Exception> ParityLayout finish(Sink<E> sink) throws E {
        ParityLayout layout = period == 0 ? ParityLayout.of(size) : largeLayout();
        byte[] zeros = new byte[(int) (layout.firstTable() - size)];
        byte[][] parity = period == 0 ? combinedHead(layout) : folded(layout, zeros);
        int chunk = layout.chunkBytes();
        for (int t = 0; t < layout.groups(); t++) {
            long place = layout.group(layout.contentChunks() + (long) t) * chunk;
            note(Crc32c.of(parity[(int) (place / SLAB_BYTES)], (int) (place % SLAB_BYTES), chunk));
        }
        byte[] table = ChunkTable.of(checksums, count).bytes();
        sink.append(zeros, 0, zeros.length);
        sink.append(table, 0, table.length);
        for (int t = 0; t < layout.groups(); t++) {
            long place = layout.group(layout.contentChunks() + (long) t) * chunk;
            sink.append(parity[(int) (place / SLAB_BYTES)], (int) (place % SLAB_BYTES), chunk);
        }
        sink.append(table, 0, table.length);
        return layout;
    }

    /// Contents beyond their announced size cannot have more groups than were combined.
    private ParityLayout largeLayout() {
        ParityLayout wanted = ParityLayout.of(size);
        return new ParityLayout(size, CHUNK, Math.min(wanted.groups(), period / CHUNK));
    }

    private byte[][] combinedHead(ParityLayout layout) {
        int chunk = layout.chunkBytes();
        byte[] padded = Arrays.copyOf(head, (int) layout.firstTable());
        byte[] parity = new byte[(int) layout.parityBytes()];
        for (int position = 0; position < layout.contentChunks(); position++) {
            note(Crc32c.of(padded, position * chunk, chunk));
            Xor.into(parity, (int) layout.group(position) * chunk, padded, position * chunk, chunk);
        }
        return new byte[][] {parity};
    }

    /// Combines groups until only those of the layout are left. Both numbers are powers of two.
    private byte[][] folded(ParityLayout layout, byte[] zeros) {
        if (zeros.length > 0) {
            crc.update(zeros);
            note((int) crc.getValue());
        }
        long narrow = layout.parityBytes();
        int piece = (int) Math.min(SLAB_BYTES, narrow);
        for (long place = narrow; place < period; place += piece) {
            byte[] source = slabs[(int) (place / SLAB_BYTES)];
            if (source != null) {
                Xor.into(
                        slab(place % narrow),
                        (int) (place % narrow % SLAB_BYTES),
                        source,
                        (int) (place % SLAB_BYTES),
                        piece);
            }
        }
        for (long place = 0; place < narrow; place += piece) {
            slab(place);
        }
        return slabs;
    }
}
