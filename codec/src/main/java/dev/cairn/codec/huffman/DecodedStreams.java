package dev.cairn.codec.huffman;

import dev.cairn.codec.CorruptBlockException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The inner loops of [HuffmanDecoder].
///
/// All four streams advance in one loop, because each stream alone would wait for its last lookup. The bits of a stream
/// are in a long, below a sentinel bit. Shifting them out also counts them, as zeros above the sentinel.
final class DecodedStreams {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int LOOKUPS = 5;
    private static final long SENTINEL = 1L << 63;

    /// While a stream has this much space left, five lookups and their stores of eight bytes stay within it.
    private static final int ROOM = LOOKUPS * DecodeTable.MOST_SYMBOLS + Long.BYTES;

    /// For each stream: the index of the next byte, how many of its bits are used, and the index of the next symbol.
    private final int[] bytesAt = new int[4];

    private final int[] bitsAt = new int[4];
    private final int[] symbolsAt = new int[4];

    /// For each stream: the index after its last symbol.
    private final int[] symbolEnds = new int[4];

    /// Decodes `count` symbols, starting at `at`, from the streams between `starts` and `ends`.
    ///
    /// @throws CorruptBlockException if an encoder cannot have written a stream
    void decode(DecodeTable table, byte[] bytes, int[] starts, int[] ends, byte[] symbols, int at, int count)
            throws CorruptBlockException {
        int streamCount = ends.length;
        int part = (count + streamCount - 1) / streamCount;
        for (int k = 0; k < streamCount; k++) {
            bytesAt[k] = starts[k];
            bitsAt[k] = 0;
            symbolsAt[k] = at + Math.min(k * part, count);
        }
        for (int k = 0; k < streamCount; k++) {
            symbolEnds[k] = at + Math.min((k + 1) * part, count);
        }
        if (streamCount == 4 && part > 2 * ROOM && to8(bytes, starts)) {
            decodeFour(table.entries, bytes, symbols, at + count);
            decodePairs(table.entries, bytes, symbols);
        }
        for (int k = 0; k < streamCount; k++) {
            decodeRest(table, bytes, k, symbols, symbolEnds[k]);
            long used = 8L * (bytesAt[k] - starts[k]) + bitsAt[k];
            long available = 8L * (ends[k] - starts[k]);
            if (used > available || available - used >= 8) {
                throw new CorruptBlockException(
                        starts[k], "stream=" + k + " has bits=" + available + " but its symbols need bits=" + used);
            }
            if (used < available && (bytes[ends[k] - 1] & 0xFF) >>> (used & 7) != 0) {
                throw new CorruptBlockException(ends[k] - 1L, "stream=" + k + " is not padded with zeros");
            }
        }
    }

    private static boolean to8(byte[] bytes, int[] starts) {
        return starts[3] <= bytes.length - Long.BYTES;
    }

    /// Decodes while all four streams have enough space and bytes left.
    private void decodeFour(long[] t, byte[] in, byte[] out, int end) {
        int p0 = bytesAt[0];
        int p1 = bytesAt[1];
        int p2 = bytesAt[2];
        int p3 = bytesAt[3];
        // As longs, because the compiler would otherwise keep each as an int and as a long.
        long o0 = symbolsAt[0];
        long o1 = symbolsAt[1];
        long o2 = symbolsAt[2];
        long o3 = symbolsAt[3];
        long end0 = o1 - ROOM;
        long end1 = o2 - ROOM;
        long end2 = o3 - ROOM;
        long end3 = (long) end - ROOM;
        int bytesEnd = in.length - Long.BYTES;
        MemorySegment symbols = MemorySegment.ofArray(out);
        long a = (long) Bytes.LONG.get(in, p0) | SENTINEL;
        long b = (long) Bytes.LONG.get(in, p1) | SENTINEL;
        long c = (long) Bytes.LONG.get(in, p2) | SENTINEL;
        long d = (long) Bytes.LONG.get(in, p3) | SENTINEL;
        while (true) {
            // This many rounds are safe for any bits. Then check how far the streams really advanced.
            long room = Math.min(Math.min(end0 - o0, end1 - o1), Math.min(end2 - o2, end3 - o3));
            int bytes = bytesEnd - Math.max(Math.max(p0, p1), Math.max(p2, p3));
            int rounds = rounds(room, bytes);
            if (rounds <= 0) {
                break;
            }
            do {
                long e;
                e = t[(int) a & DecodeTable.INDEX_MASK];
                a >>>= e;
                symbols.set(LONG, o0, e >>> 8);
                o0 += e >>> 56;
                e = t[(int) b & DecodeTable.INDEX_MASK];
                b >>>= e;
                symbols.set(LONG, o1, e >>> 8);
                o1 += e >>> 56;
                e = t[(int) c & DecodeTable.INDEX_MASK];
                c >>>= e;
                symbols.set(LONG, o2, e >>> 8);
                o2 += e >>> 56;
                e = t[(int) d & DecodeTable.INDEX_MASK];
                d >>>= e;
                symbols.set(LONG, o3, e >>> 8);
                o3 += e >>> 56;
                e = t[(int) a & DecodeTable.INDEX_MASK];
                a >>>= e;
                symbols.set(LONG, o0, e >>> 8);
                o0 += e >>> 56;
                e = t[(int) b & DecodeTable.INDEX_MASK];
                b >>>= e;
                symbols.set(LONG, o1, e >>> 8);
                o1 += e >>> 56;
                e = t[(int) c & DecodeTable.INDEX_MASK];
                c >>>= e;
                symbols.set(LONG, o2, e >>> 8);
                o2 += e >>> 56;
                e = t[(int) d & DecodeTable.INDEX_MASK];
                d >>>= e;
                symbols.set(LONG, o3, e >>> 8);
                o3 += e >>> 56;
                e = t[(int) a & DecodeTable.INDEX_MASK];
                a >>>= e;
                symbols.set(LONG, o0, e >>> 8);
                o0 += e >>> 56;
                e = t[(int) b & DecodeTable.INDEX_MASK];
                b >>>= e;
                symbols.set(LONG, o1, e >>> 8);
                o1 += e >>> 56;
                e = t[(int) c & DecodeTable.INDEX_MASK];
                c >>>= e;
                symbols.set(LONG, o2, e >>> 8);
                o2 += e >>> 56;
                e = t[(int) d & DecodeTable.INDEX_MASK];
                d >>>= e;
                symbols.set(LONG, o3, e >>> 8);
                o3 += e >>> 56;
                e = t[(int) a & DecodeTable.INDEX_MASK];
                a >>>= e;
                symbols.set(LONG, o0, e >>> 8);
                o0 += e >>> 56;
                e = t[(int) b & DecodeTable.INDEX_MASK];
                b >>>= e;
                symbols.set(LONG, o1, e >>> 8);
                o1 += e >>> 56;
                e = t[(int) c & DecodeTable.INDEX_MASK];
                c >>>= e;
                symbols.set(LONG, o2, e >>> 8);
                o2 += e >>> 56;
                e = t[(int) d & DecodeTable.INDEX_MASK];
                d >>>= e;
                symbols.set(LONG, o3, e >>> 8);
                o3 += e >>> 56;
                e = t[(int) a & DecodeTable.INDEX_MASK];
                a >>>= e;
                symbols.set(LONG, o0, e >>> 8);
                o0 += e >>> 56;
                e = t[(int) b & DecodeTable.INDEX_MASK];
                b >>>= e;
                symbols.set(LONG, o1, e >>> 8);
                o1 += e >>> 56;
                e = t[(int) c & DecodeTable.INDEX_MASK];
                c >>>= e;
                symbols.set(LONG, o2, e >>> 8);
                o2 += e >>> 56;
                e = t[(int) d & DecodeTable.INDEX_MASK];
                d >>>= e;
                symbols.set(LONG, o3, e >>> 8);
                o3 += e >>> 56;
                int z;
                z = Long.numberOfLeadingZeros(a);
                p0 += z >>> 3;
                a = ((long) Bytes.LONG.get(in, p0) | SENTINEL) >>> (z & 7);
                z = Long.numberOfLeadingZeros(b);
                p1 += z >>> 3;
                b = ((long) Bytes.LONG.get(in, p1) | SENTINEL) >>> (z & 7);
                z = Long.numberOfLeadingZeros(c);
                p2 += z >>> 3;
                c = ((long) Bytes.LONG.get(in, p2) | SENTINEL) >>> (z & 7);
                z = Long.numberOfLeadingZeros(d);
                p3 += z >>> 3;
                d = ((long) Bytes.LONG.get(in, p3) | SENTINEL) >>> (z & 7);
            } while (--rounds > 0);
        }
        save(0, p0, a, o0);
        save(1, p1, b, o1);
        save(2, p2, c, o2);
        save(3, p3, d, o3);
    }

    /// Streams of equally many symbols do not end together. Decodes two at a time, those with the most symbols left,
    /// until at most one has enough left.
    private void decodePairs(long[] t, byte[] in, byte[] out) {
        boolean advanced = true;
        while (advanced) {
            int most = 0;
            for (int k = 1; k < 4; k++) {
                most = left(k) > left(most) ? k : most;
            }
            int next = most == 0 ? 1 : 0;
            for (int k = next + 1; k < 4; k++) {
                next = k != most && left(k) > left(next) ? k : next;
            }
            advanced = decodeTwo(t, in, out, most, next);
        }
    }

    private int left(int k) {
        return symbolEnds[k] - symbolsAt[k];
    }

    /// Like [#decodeFour], for two streams. Returns whether it decoded anything.
    private boolean decodeTwo(long[] t, byte[] in, byte[] out, int k0, int k1) {
        int p0 = bytesAt[k0] + (bitsAt[k0] >>> 3);
        int p1 = bytesAt[k1] + (bitsAt[k1] >>> 3);
        long o0 = symbolsAt[k0];
        long o1 = symbolsAt[k1];
        long end0 = (long) symbolEnds[k0] - ROOM;
        long end1 = (long) symbolEnds[k1] - ROOM;
        int bytesEnd = in.length - Long.BYTES;
        int rounds = rounds(Math.min(end0 - o0, end1 - o1), bytesEnd - Math.max(p0, p1));
        if (rounds <= 0) {
            return false;
        }
        MemorySegment symbols = MemorySegment.ofArray(out);
        long a = ((long) Bytes.LONG.get(in, p0) | SENTINEL) >>> (bitsAt[k0] & 7);
        long b = ((long) Bytes.LONG.get(in, p1) | SENTINEL) >>> (bitsAt[k1] & 7);
        do {
            do {
                long e;
                e = t[(int) a & DecodeTable.INDEX_MASK];
                a >>>= e;
                symbols.set(LONG, o0, e >>> 8);
                o0 += e >>> 56;
                e = t[(int) b & DecodeTable.INDEX_MASK];
                b >>>= e;
                symbols.set(LONG, o1, e >>> 8);
                o1 += e >>> 56;
                e = t[(int) a & DecodeTable.INDEX_MASK];
                a >>>= e;
                symbols.set(LONG, o0, e >>> 8);
                o0 += e >>> 56;
                e = t[(int) b & DecodeTable.INDEX_MASK];
                b >>>= e;
                symbols.set(LONG, o1, e >>> 8);
                o1 += e >>> 56;
                e = t[(int) a & DecodeTable.INDEX_MASK];
                a >>>= e;
                symbols.set(LONG, o0, e >>> 8);
                o0 += e >>> 56;
                e = t[(int) b & DecodeTable.INDEX_MASK];
                b >>>= e;
                symbols.set(LONG, o1, e >>> 8);
                o1 += e >>> 56;
                e = t[(int) a & DecodeTable.INDEX_MASK];
                a >>>= e;
                symbols.set(LONG, o0, e >>> 8);
                o0 += e >>> 56;
                e = t[(int) b & DecodeTable.INDEX_MASK];
                b >>>= e;
                symbols.set(LONG, o1, e >>> 8);
                o1 += e >>> 56;
                e = t[(int) a & DecodeTable.INDEX_MASK];
                a >>>= e;
                symbols.set(LONG, o0, e >>> 8);
                o0 += e >>> 56;
                e = t[(int) b & DecodeTable.INDEX_MASK];
                b >>>= e;
                symbols.set(LONG, o1, e >>> 8);
                o1 += e >>> 56;
                int z;
                z = Long.numberOfLeadingZeros(a);
                p0 += z >>> 3;
                a = ((long) Bytes.LONG.get(in, p0) | SENTINEL) >>> (z & 7);
                z = Long.numberOfLeadingZeros(b);
                p1 += z >>> 3;
                b = ((long) Bytes.LONG.get(in, p1) | SENTINEL) >>> (z & 7);
            } while (--rounds > 0);
            rounds = rounds(Math.min(end0 - o0, end1 - o1), bytesEnd - Math.max(p0, p1));
        } while (rounds > 0);
        save(k0, p0, a, o0);
        save(k1, p1, b, o1);
        return true;
    }

    /// How many rounds of lookups are safe for any bits.
    private static int rounds(long symbols, int bytes) {
        return Math.min((int) symbols / (LOOKUPS * DecodeTable.MOST_SYMBOLS), bytes / 7);
    }

    private void save(int k, int bytePosition, long bits, long symbolPosition) {
        bytesAt[k] = bytePosition;
        bitsAt[k] = Long.numberOfLeadingZeros(bits);
        symbolsAt[k] = (int) symbolPosition;
    }

    /// Decodes the rest of one stream, without access beyond the end of either array.
    private void decodeRest(DecodeTable table, byte[] in, int k, byte[] out, int end) {
        long bit = 8L * bytesAt[k] + bitsAt[k];
        int o = symbolsAt[k];
        while (o <= end - Long.BYTES) {
            long bits = Bytes.longOrZeros(in, (int) (bit >>> 3)) >>> (bit & 7);
            for (int i = 0; i < LOOKUPS && o <= end - Long.BYTES; i++) {
                long e = table.entries[(int) bits & DecodeTable.INDEX_MASK];
                bits >>>= e;
                bit += e & 63;
                Bytes.LONG.set(out, o, e >>> 8);
                o += (int) (e >>> 56);
            }
        }
        while (o < end) {
            long bits = Bytes.longOrZeros(in, (int) (bit >>> 3)) >>> (bit & 7);
            int one = table.first[(int) bits & DecodeTable.INDEX_MASK];
            out[o++] = (byte) (one >>> 8);
            bit += one & 0xFF;
        }
        bytesAt[k] = (int) (bit >>> 3);
        bitsAt[k] = (int) (bit & 7);
    }
}
