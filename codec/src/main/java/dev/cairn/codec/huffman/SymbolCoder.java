package dev.cairn.codec.huffman;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.Frame;
import dev.cairn.codec.FrameReader;
import dev.cairn.codec.VectorLoop;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Codes the byte symbols of a block in as few bytes as a Huffman code allows, and never in more than a few bytes more
/// than the symbols themselves. It chooses between copying, coding, and splitting off the zeros, and it chooses the
/// tables; [SymbolDecoder] is the other direction. Not thread-safe: buffers and prepared tables are reused from block
/// to
/// block.
public final class SymbolCoder {
    static final int STORED = 0;
    static final int CODED = 1;
    static final int SPLIT = 2;
    static final int OWN_TABLE = 254;
    static final int NO_TABLE = 255;

    /// With a smaller share of zeros, splitting them off is not considered.
    private static final double ZEROS_FROM = 0.05;

    /// The share that splitting must save to be worth its time.
    private static final double SPLIT_GAIN = 0.01;

    /// After a decision, this many more large blocks are coded in the same way: neighbours are similar, and a decision
    /// takes a tenth of the time of coding.
    private static final int DECIDED_FOR = 7;

    private static final int LARGE = 1 << 12;

    /// A block gets its own table if it is longer than expected by this factor plus [#MISLED_BITS] bits.
    private static final double MISLED = 1.1;

    private static final int MISLED_BITS = 1000;
    private static final int SLACK = 16;

    /// The share that coding must save by default.
    private static final double ANY_GAIN = 0.005;

    private final @Nullable TableSet set;
    private final double leastGain;
    private final TableChooser flagTables;
    private final TableChooser tables;
    private final Histogram sample = new Histogram();
    private final Histogram others = new Histogram();
    private final HuffmanEncoder encoder = new HuffmanEncoder();
    private final SymbolDecoder decoder;
    private int mode;
    private int blocksUntilDecision;
    private byte[] flags = new byte[0];
    private byte[] nonZero = new byte[0];

    /// The loops in which encoding spends its time.
    public static List<VectorLoop> encodingLoops() {
        return List.of(ZeroSplit.SPLIT);
    }

    /// Creates a coder for blocks that carry their own tables.
    public SymbolCoder() {
        this(null);
    }

    /// Creates a coder for blocks whose tables are in a set, which is written separately. The reader's set must be the
    /// same as the writer's.
    ///
    /// @param set null if blocks carry their own tables
    public SymbolCoder(@Nullable TableSet set) {
        this(set, ANY_GAIN);
    }

    /// Creates a coder for symbols that must be read fast. It copies them unless coding saves enough.
    ///
    /// @param set null if blocks carry their own tables
    /// @param leastGain the share of the bytes that coding must save to be worth the time of readers
    public SymbolCoder(@Nullable TableSet set, double leastGain) {
        this.set = set;
        this.leastGain = leastGain;
        this.flagTables = new TableChooser(set);
        this.tables = new TableChooser(set);
        this.decoder = new SymbolDecoder(set);
    }

    /// Appends the first `count` of the symbols to the frame.
    public void encode(byte[] symbols, int count, Frame frame) {
        encode(symbols, 0, count, frame);
    }

    /// Appends `count` symbols, starting at index `from`, to the frame.
    public void encode(byte[] symbols, int from, int count, Frame frame) {
        int start = frame.size();
        byte[] out = frame.reserve(maxWrittenBytes(count));
        // The length comes first but is known last. Reserve space for the longest, and close the gap afterwards.
        int body = start + Bytes.varintSize(count + 1);
        int end = count == 0 ? -1 : encodeBody(symbols, from, count, out, body);
        if (end < 0 || end - body > count) {
            out[body] = STORED;
            System.arraycopy(symbols, from, out, body + 1, count);
            end = body + 1 + count;
        }
        int length = end - body;
        int actual = Bytes.putVarint(out, start, length);
        if (actual != body) {
            System.arraycopy(out, body, out, actual, length);
        }
        frame.setSize(actual + length);
    }

    /// The maximum written before the result turns out to be too long: flags, other bytes, and a table for each.
    private static int maxWrittenBytes(int count) {
        return HuffmanEncoder.maxEncodedBytes(count)
                + HuffmanEncoder.maxEncodedBytes(ZeroSplit.flagBytes(count))
                + 2 * 256
                + SLACK;
    }

    /// Returns −1 if it is better to copy the symbols.
    private int encodeBody(byte[] symbols, int from, int count, byte[] out, int at) {
        if (count < LARGE || blocksUntilDecision-- == 0) {
            mode = decide(symbols, from, count);
            blocksUntilDecision = DECIDED_FOR;
        }
        if (mode == STORED) {
            return -1;
        }
        if (mode == CODED) {
            out[at] = CODED;
            return encodePart(tables, tables.choose(symbols, from, count), symbols, from, count, out, at + 1);
        }
        out[at] = SPLIT;
        reserveSplit(count);
        int flagCount = ZeroSplit.flagBytes(count);
        int rest = ZeroSplit.split(symbols, from, count, flags, nonZero);
        int flagStart = at + 1 + Bytes.varintSize(flagCount + 1);
        int flagEnd =
                encodePart(flagTables, flagTables.choose(flags, 0, flagCount), flags, 0, flagCount, out, flagStart);
        int flagLength = flagEnd - flagStart;
        int next = Bytes.putVarint(out, at + 1, flagLength);
        if (next != flagStart) {
            System.arraycopy(out, flagStart, out, next, flagLength);
        }
        next += flagLength;
        return rest == 0 ? next : encodePart(tables, tables.choose(nonZero, 0, rest), nonZero, 0, rest, out, next);
    }

    private int decide(byte[] symbols, int from, int count) {
        int every = TableChooser.sampleEvery(count);
        sample.sample(symbols, from, count, every);
        double whole = sample.huffmanBits();
        double split = Double.POSITIVE_INFINITY;
        if (sample.counts()[0] >= ZEROS_FROM * sample.total()) {
            others.copyWithoutZeros(sample);
            split = others.huffmanBits() + ZeroSplit.flagBits(symbols, from, count, every) * sample.total() / 8;
        }
        if (Math.min(whole, split) > (1 - leastGain) * 8 * sample.total()) {
            return STORED;
        }
        return split < whole * (1 - SPLIT_GAIN) ? SPLIT : CODED;
    }

    private int encodePart(
            TableChooser chooser, @Nullable CodeTable table, byte[] symbols, int from, int count, byte[] out, int at) {
        int end = encodeWith(chooser, table, symbols, from, count, out, at);
        if (table != null && (end < 0 || 8L * (end - at) > MISLED * chooser.expectedBits() + MISLED_BITS)) {
            end = encodeWith(chooser, chooser.makeFor(symbols, from, count), symbols, from, count, out, at);
        }
        if (end >= 0 && end - at <= count) {
            return end;
        }
        out[at] = (byte) NO_TABLE;
        System.arraycopy(symbols, from, out, at + 1, count);
        return at + 1 + count;
    }

    private int encodeWith(
            TableChooser chooser, @Nullable CodeTable table, byte[] symbols, int from, int count, byte[] out, int at) {
        if (table == null) {
            return HuffmanEncoder.UNFIT;
        }
        int expectedBytes = (int) (chooser.expectedBits() >>> 3);
        return encoder.encode(table, symbols, from, count, expectedBytes, out, putTable(table, out, at));
    }

    private int putTable(CodeTable table, byte[] out, int at) {
        int index = set == null ? -1 : set.use(table);
        if (index >= 0) {
            out[at] = (byte) index;
            return at + 1;
        }
        byte[] bytes = table.serialised();
        out[at] = (byte) OWN_TABLE;
        out[at + 1] = (byte) bytes.length;
        System.arraycopy(bytes, 0, out, at + 2, bytes.length);
        return at + 2 + bytes.length;
    }

    private void reserveSplit(int count) {
        if (nonZero.length < count + ZeroSplit.SLACK) {
            nonZero = new byte[count + ZeroSplit.SLACK];
            flags = new byte[ZeroSplit.flagBytes(count)];
        }
    }

    /// Reads `count` symbols into the array, starting at index 0.
    public void decode(FrameReader in, byte[] symbols, int count) throws CorruptBlockException {
        decode(in, symbols, 0, count);
    }

    /// Reads `count` symbols into the array, starting at index `at`.
    public void decode(FrameReader in, byte[] symbols, int at, int count) throws CorruptBlockException {
        int stored = decodeUnlessStored(in, symbols, at, count);
        if (stored >= 0) {
            System.arraycopy(in.array(), stored, symbols, at, count);
        }
    }

    /// Reads `count` symbols into the array, starting at index `at`, unless they are stored without coding.
    ///
    /// @return the index in the frame's array at which the symbols are stored, or −1 if they were decoded
    public int decodeUnlessStored(FrameReader in, byte[] symbols, int at, int count) throws CorruptBlockException {
        var reader = new Bytes.Reader(in.array(), in.position(), in.limit());
        int length = reader.varint();
        int start = reader.skip(length);
        in.setPosition(start + length);
        if (length == count + 1 && in.array()[start] == STORED) {
            return start + 1;
        }
        decoder.decode(in.array(), start, start + length, symbols, at, count);
        return -1;
    }

    /// Reads `count` symbols from exactly the bytes `from` to `to`, and stores them starting at index `at`.
    void decode(byte[] bytes, int from, int to, byte[] symbols, int at, int count) throws CorruptBlockException {
        decoder.decode(bytes, from, to, symbols, at, count);
    }
}
