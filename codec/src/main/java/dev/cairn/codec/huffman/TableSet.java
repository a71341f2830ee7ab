package dev.cairn.codec.huffman;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.FrameReader;
import java.util.Arrays;

/// The code tables of one checkpoint (or tensor, or segment), to which its blocks refer by index. A writer's set grows
/// as blocks need tables. A reader gets the whole set before the first block, so that blocks stay independent.
///
/// Thread-safe. The index of a table depends on which thread comes first; the decoded values do not.
public final class TableSet {
    /// The maximum number of tables in a set.
    public static final int MAX_TABLES = 128;

    /// The maximum size of a set as bytes: its count, and for each table a length of one byte and as many bytes.
    public static final int MOST_BYTES = 1 + MAX_TABLES * 256;

    private final Object lock = new Object();
    private volatile CodeTable[] tables;
    private volatile CodeTable[] known;

    private TableSet(CodeTable[] tables, CodeTable[] known) {
        this.tables = tables;
        this.known = known;
    }

    /// A set without tables.
    public static TableSet empty() {
        return new TableSet(new CodeTable[0], new CodeTable[0]);
    }

    /// Empties the set for the next checkpoint, which prefers one of the previous tables to a new one.
    public void startAnew() {
        synchronized (lock) {
            if (tables.length > 0) {
                known = tables;
            }
            tables = new CodeTable[0];
        }
    }

    /// Replaces the tables with those of another set. For readers, which go from one set to the next.
    public void become(TableSet other) {
        synchronized (lock) {
            tables = other.tables;
        }
    }

    /// The number of tables.
    public int size() {
        return tables.length;
    }

    /// The table with this index, from 0 to [#size] exclusive.
    public CodeTable get(int index) {
        return tables[index];
    }

    /// The tables of the set, followed by the tables of the previous checkpoint that are not in the set.
    CodeTable[] candidates() {
        synchronized (lock) {
            CodeTable[] all = Arrays.copyOf(tables, tables.length + known.length);
            System.arraycopy(known, 0, all, tables.length, known.length);
            return all;
        }
    }

    boolean contains(CodeTable table) {
        return Arrays.asList(tables).contains(table);
    }

    /// Returns the index of a table, and adds the table if it is not in the set. Returns -1 if the set is full.
    int use(CodeTable table) {
        CodeTable[] present = tables;
        for (int i = 0; i < present.length; i++) {
            if (present[i].equals(table)) {
                return i;
            }
        }
        synchronized (lock) {
            present = tables;
            int index = Arrays.asList(present).indexOf(table);
            if (index >= 0 || present.length == MAX_TABLES) {
                return index;
            }
            CodeTable[] more = Arrays.copyOf(present, present.length + 1);
            more[present.length] = table;
            known = Arrays.stream(known).filter(t -> !t.equals(table)).toArray(CodeTable[]::new);
            tables = more;
            return present.length;
        }
    }

    /// The serialised form: the tables that were used, in the order of their indices.
    public byte[] toBytes() {
        CodeTable[] all = tables;
        byte[][] parts = new byte[all.length][];
        int size = 1;
        for (int i = 0; i < all.length; i++) {
            parts[i] = all[i].serialised();
            size += 1 + parts[i].length;
        }
        byte[] bytes = new byte[size];
        bytes[0] = (byte) all.length;
        int at = 1;
        for (byte[] part : parts) {
            bytes[at] = (byte) part.length;
            System.arraycopy(part, 0, bytes, at + 1, part.length);
            at += 1 + part.length;
        }
        return bytes;
    }

    /// Reads what [#toBytes] wrote, from exactly this range. Rejects anything else.
    public static TableSet parse(byte[] bytes, int from, int to) throws CorruptBlockException {
        var in = new FrameReader(bytes, from, to);
        TableSet set = read(in);
        if (in.remaining() > 0) {
            throw in.corrupt("trailing bytes=" + in.remaining());
        }
        return set;
    }

    /// Reads what [#toBytes] wrote, and no more.
    public static TableSet read(FrameReader frame) throws CorruptBlockException {
        byte[] bytes = frame.array();
        int from = frame.position();
        var in = new Bytes.Reader(bytes, from, frame.limit());
        int count = in.unsignedByte();
        if (count > MAX_TABLES) {
            throw new CorruptBlockException(from, "tables=" + count + " limit=" + MAX_TABLES);
        }
        CodeTable[] tables = new CodeTable[count];
        for (int i = 0; i < count; i++) {
            int length = in.unsignedByte();
            int start = in.skip(length);
            tables[i] = CodeTable.parse(bytes, start, start + length);
        }
        frame.setPosition(in.at());
        if (Arrays.stream(tables).distinct().count() != count) {
            throw new CorruptBlockException(from, "a table occurs twice");
        }
        return new TableSet(tables, new CodeTable[0]);
    }
}
