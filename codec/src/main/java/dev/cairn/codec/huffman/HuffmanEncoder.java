package dev.cairn.codec.huffman;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes byte symbols with a code table. It keeps prepared tables and buffers, so use one encoder per thread.
///
/// Four symbols go into a 64-bit accumulator between two stores, or eight if they fit. Once a table has been used for a
/// while, two symbols are looked up at once. No branch depends on a symbol, except for symbols without a code.
public final class HuffmanEncoder {
    /// The result of [#encode] if too many symbols have no code in the table.
    public static final int UNFIT = -1;

    static final int FOUR_STREAMS = 1;
    static final int PATCHES = 2;

    /// With fewer bytes in total, four streams are not worthwhile.
    private static final int FOUR_FROM_BYTES = 400;

    private static final int TABLES_KEPT = 64;

    /// Each takes half a megabyte.
    private static final int PAIR_TABLES_KEPT = 6;

    private static final int GROUP = 8;
    private static final int SLACK = 16;

    private final Map<CodeTable, EncodeTable> prepared = new LinkedHashMap<>(128, 0.75f, true);
    private final Map<EncodeTable, long[]> pairTables = new LinkedHashMap<>(16, 0.75f, true);
    private byte[] streams = new byte[0];

    /// The stream being written: its newest bits from the top down, how many of them do not fill a whole byte yet, and
    /// the index of that byte.
    private long accumulator;

    private int pendingBits;
    private int position;
    private int[] patches = new int[16];
    private int patchCount;
    private int patchLimit;

    /// The space that [#encode] needs in its output.
    public static int maxEncodedBytes(int count) {
        return 2 * count + 64;
    }

    /// Writes `count` symbols and returns the index after the last byte written. If more than one symbol in 16 has no
    /// code, writes nothing and returns [#UNFIT].
    ///
    /// @param expectedBytes the approximate size of the result, which decides the number of streams
    public int encode(CodeTable table, byte[] symbols, int from, int count, int expectedBytes, byte[] out, int at) {
        prepare(count);
        if (table.isSingle()) {
            findPatches(table, symbols, from, from, from + count);
            return patchCount > patchLimit ? UNFIT : writeSingle(symbols, from, out, at);
        }
        EncodeTable encode = prepared(table);
        int streamCount = expectedBytes >= FOUR_FROM_BYTES && count >= FOUR_FROM_BYTES ? 4 : 1;
        int quarter = (count + streamCount - 1) / streamCount;
        int[] ends = new int[streamCount];
        long[] pairs = encode.wantsPairs(count) ? pairs(encode) : null;
        int end = 0;
        for (int k = 0; k < streamCount; k++) {
            int first = from + k * quarter;
            int length = Math.min(quarter, from + count - first);
            end = encodeStream(encode, pairs, symbols, from, first, first + length, end);
            ends[k] = end;
        }
        return patchCount > patchLimit ? UNFIT : write(ends, symbols, from, out, at);
    }

    private void prepare(int count) {
        int needed = count * 3 / 2 + 8 * SLACK;
        if (streams.length < needed) {
            streams = new byte[needed];
        }
        patchCount = 0;
        patchLimit = count / 16;
    }

    private EncodeTable prepared(CodeTable table) {
        EncodeTable found = prepared.get(table);
        if (found != null) {
            return found;
        }
        if (prepared.size() >= TABLES_KEPT) {
            prepared.remove(prepared.keySet().iterator().next());
        }
        var made = new EncodeTable(table);
        prepared.put(table, made);
        return made;
    }

    /// Returns the table of pairs. It may replace the least recently used one.
    private long[] pairs(EncodeTable encode) {
        long[] found = pairTables.get(encode);
        if (found != null) {
            return found;
        }
        long[] made;
        if (pairTables.size() < PAIR_TABLES_KEPT) {
            made = new long[1 << 16];
        } else {
            var eldest = pairTables.entrySet().iterator();
            var entry = eldest.next();
            entry.getKey().forgetUse();
            made = entry.getValue();
            eldest.remove();
        }
        encode.fillPairs(made);
        pairTables.put(encode, made);
        return made;
    }

    /// Uses fast loops while all symbols have codes. The rest, and groups with a symbol without a code, are encoded one
    /// by one. The loops call no methods, because calls would cost the compiler all its registers.
    private int encodeStream(
            EncodeTable encode, long @Nullable [] pairs, byte[] symbols, int from, int first, int end, int at) {
        accumulator = 0;
        pendingBits = 0;
        position = at;
        int i = first;
        while (true) {
            i = pairs == null ? encodeSingles(encode.single, symbols, i, end) : encodePairs(pairs, symbols, i, end);
            int groupEnd = Math.min(i + GROUP, end);
            encodeOneByOne(encode, symbols, from, i, groupEnd);
            i = groupEnd;
            if (i == end || patchCount > patchLimit) {
                return pendingBits > 0 ? position + 1 : position;
            }
        }
    }

    private int encodeSingles(long[] t, byte[] symbols, int first, int end) {
        byte[] out = streams;
        long acc = accumulator;
        long n = pendingBits;
        long pos = position;
        int i = first;
        for (; i <= end - 4; i += 4) {
            int s = (int) Bytes.INT.get(symbols, i);
            long e0 = t[s & 0xFF];
            long e1 = t[(s >>> 8) & 0xFF];
            long e2 = t[(s >>> 16) & 0xFF];
            long e3 = t[s >>> 24];
            long sum = n + e0 + e1 + e2 + e3;
            if ((sum & EncodeTable.LENGTHS_AND_MARKS) >= EncodeTable.MISSING) {
                break;
            }
            acc = (acc >>> e0) | e0;
            acc = (acc >>> e1) | e1;
            acc = (acc >>> e2) | e2;
            acc = (acc >>> e3) | e3;
            Bytes.LONG.set(out, (int) pos, acc >>> -sum);
            pos += (sum >>> 3) & 7;
            n = sum & 7;
        }
        accumulator = acc;
        pendingBits = (int) n;
        position = (int) pos;
        return i;
    }

    private int encodePairs(long[] t, byte[] symbols, int first, int end) {
        byte[] out = streams;
        long acc = accumulator;
        long n = pendingBits;
        long pos = position;
        int i = first;
        for (; i <= end - 8; i += 8) {
            long s = (long) Bytes.LONG.get(symbols, i);
            long e0 = t[(int) s & 0xFFFF];
            long e1 = t[(int) s >>> 16];
            long e2 = t[(int) (s >>> 32) & 0xFFFF];
            long e3 = t[(int) (s >>> 48)];
            long half = n + e0 + e1;
            long sum = half + e2 + e3;
            if ((sum & EncodeTable.LENGTHS_AND_MARKS) > 56) {
                if ((sum & EncodeTable.LENGTHS_AND_MARKS) >= EncodeTable.MISSING) {
                    break;
                }
                // Too long for one store.
                acc = (acc >>> e0) | e0;
                acc = (acc >>> e1) | e1;
                Bytes.LONG.set(out, (int) pos, acc >>> -half);
                pos += (half >>> 3) & 7;
                sum = (half & 7) + e2 + e3;
            } else {
                acc = (acc >>> e0) | e0;
                acc = (acc >>> e1) | e1;
            }
            acc = (acc >>> e2) | e2;
            acc = (acc >>> e3) | e3;
            Bytes.LONG.set(out, (int) pos, acc >>> -sum);
            pos += (sum >>> 3) & 7;
            n = sum & 7;
        }
        accumulator = acc;
        pendingBits = (int) n;
        position = (int) pos;
        return i;
    }

    private void encodeOneByOne(EncodeTable encode, byte[] symbols, int from, int first, int end) {
        for (int i = first; i < end; i++) {
            long e = encode.single[symbols[i] & 0xFF];
            accumulator = (accumulator >>> e) | e;
            pendingBits += (int) e & 63;
            Bytes.LONG.set(streams, position, accumulator >>> -pendingBits);
            position += pendingBits >>> 3;
            pendingBits &= 7;
        }
        findPatches(encode.table, symbols, from, first, end);
    }

    /// Collects the symbols of a range that have no code, until there are too many.
    private void findPatches(CodeTable table, byte[] symbols, int from, int first, int end) {
        for (int i = first; i < end; i++) {
            if (!table.hasCode(symbols[i] & 0xFF) && patchCount <= patchLimit) {
                if (patchCount == patches.length) {
                    patches = Arrays.copyOf(patches, 2 * patchCount);
                }
                patches[patchCount++] = i - from;
            }
        }
    }

    private int writeSingle(byte[] symbols, int from, byte[] out, int at) {
        if (patchCount == 0) {
            return at;
        }
        out[at] = PATCHES;
        return writePatches(symbols, from, out, Bytes.putVarint(out, at + 1, 0));
    }

    private int write(int[] ends, byte[] symbols, int from, byte[] out, int at) {
        boolean patched = patchCount > 0;
        out[at] = (byte) ((ends.length == 4 ? FOUR_STREAMS : 0) | (patched ? PATCHES : 0));
        int next = at + 1;
        int start = 0;
        for (int k = 0; k < (patched ? ends.length : ends.length - 1); k++) {
            next = Bytes.putVarint(out, next, ends[k] - start);
            start = ends[k];
        }
        int total = ends[ends.length - 1];
        System.arraycopy(streams, 0, out, next, total);
        return writePatches(symbols, from, out, next + total);
    }

    private int writePatches(byte[] symbols, int from, byte[] out, int at) {
        int next = at;
        int previous = -1;
        for (int i = 0; i < patchCount; i++) {
            next = Bytes.putVarint(out, next, patches[i] - previous - 1);
            out[next++] = symbols[from + patches[i]];
            previous = patches[i];
        }
        return next;
    }
}
