package dev.cairn.codec.huffman;

import dev.cairn.codec.CorruptBlockException;
import java.util.Arrays;

/// Reads what [HuffmanEncoder] wrote: a header, one stream or four, and patches. Use one decoder per thread.
public final class HuffmanDecoder {
    private final DecodedStreams streams = new DecodedStreams();

    /// Decodes exactly the bytes `from` to `to` into `count` symbols, starting at `at`.
    ///
    /// @throws CorruptBlockException if an encoder cannot have written the bytes; the symbols are then undefined
    public void decode(CodeTable table, byte[] bytes, int from, int to, byte[] symbols, int at, int count)
            throws CorruptBlockException {
        var in = new Bytes.Reader(bytes, from, to);
        if (count < 0 || at < 0 || count > symbols.length - at) {
            throw new CorruptBlockException(from, "symbols=" + count + " exceed the space for them");
        }
        if (table.isSingle()) {
            Arrays.fill(symbols, at, at + count, (byte) table.firstSymbol());
            if (in.remaining() == 0) {
                return;
            }
        }
        int header = in.unsignedByte();
        boolean patched = (header & HuffmanEncoder.PATCHES) != 0;
        int streamCount = (header & HuffmanEncoder.FOUR_STREAMS) != 0 ? 4 : 1;
        if (header >>> 2 != 0 || (table.isSingle() && header != HuffmanEncoder.PATCHES)) {
            throw new CorruptBlockException(from, "header=" + header);
        }
        int[] starts = new int[streamCount];
        int[] ends = new int[streamCount];
        for (int k = 0; k < streamCount; k++) {
            ends[k] = k < streamCount - 1 || patched ? in.varint() : -1;
        }
        for (int k = 0; k < streamCount; k++) {
            starts[k] = in.skip(ends[k] < 0 ? in.remaining() : ends[k]);
            ends[k] = in.at();
        }
        if (!table.isSingle()) {
            streams.decode(table.decodeTable(), bytes, starts, ends, symbols, at, count);
        } else if (ends[0] != starts[0]) {
            throw new CorruptBlockException(starts[0], "a code without bits has a stream");
        }
        if (patched) {
            patch(table, in, symbols, at, count);
        }
        in.expectEnd();
    }

    private static void patch(CodeTable table, Bytes.Reader in, byte[] symbols, int at, int count)
            throws CorruptBlockException {
        int previous = -1;
        do {
            int start = in.at();
            int gap = in.varint();
            int symbol = in.unsignedByte();
            if (gap >= count - previous - 1 || table.hasCode(symbol)) {
                throw new CorruptBlockException(start, "patch gap=" + gap + " symbol=" + symbol);
            }
            previous += gap + 1;
            symbols[at + previous] = (byte) symbol;
        } while (in.remaining() > 0);
    }
}
