package dev.cairn.codec.parity;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntPredicate;

/// The damaged chunks of a file, with the bytes that they had. Immutable.
public final class Healing {
    /// So many bytes are read at a time.
    private static final int LOT_BYTES = 1 << 20;

    private final ParityLayout layout;
    private final ChunkTable table;
    private final List<Integer> damaged;
    private final boolean tableIsDamaged;
    private final NavigableMap<Integer, byte[]> contents;
    private final long copiedBytes;

    /// Reads the file.
    ///
    /// @param <E> what a read may throw
    public interface Source<E extends Exception> {
        /// Reads bytes at an offset into the start of an array.
        ///
        /// @return how many of them the file has
        int read(long offset, byte[] target, int length) throws E;
    }

    private Healing(
            ParityLayout layout,
            ChunkTable table,
            List<Integer> damaged,
            boolean tableIsDamaged,
            NavigableMap<Integer, byte[]> contents,
            long copiedBytes) {
        this.layout = layout;
        this.table = table;
        this.damaged = damaged;
        this.tableIsDamaged = tableIsDamaged;
        this.contents = contents;
        this.copiedBytes = copiedBytes;
    }

    /// Reads the whole file, finds the chunks that are damaged, and computes what they were. What parity cannot heal is
    /// read from a copy of the file, and nothing else. The copy may be damaged too, in other places.
    ///
    /// @throws UnhealableException if more is damaged than parity and copy can heal together
    public static <E extends Exception> Healing of(ParityLayout layout, Source<E> source, Source<E> copy)
            throws E, UnhealableException {
        Optional<ChunkTable> first = table(source, layout.firstTable(), layout.tableBytes());
        Optional<ChunkTable> second = table(source, layout.secondTable(), layout.tableBytes());
        boolean tablesAreLost = first.isEmpty() && second.isEmpty();
        ChunkTable table = tablesAreLost
                ? tableOf(copy, layout)
                        .orElseThrow(() -> new UnhealableException("both tables of its chunks are damaged"))
                : first.or(() -> second).get();
        List<Integer> damaged = damaged(layout, source, table);
        boolean tableIsDamaged = !first.equals(second) || tablesAreLost;
        if (tableIsDamaged && first.isPresent() && second.isPresent()) {
            // One of them is of another file, such as after a write to a wrong place: the one that fits less.
            List<Integer> bySecond = damaged(layout, source, second.get());
            if (bySecond.size() < damaged.size()) {
                table = second.get();
                damaged = bySecond;
            }
        }
        NavigableMap<Integer, byte[]> copied = CopiedChunks.read(layout, table, copy, damaged);
        NavigableMap<Integer, byte[]> contents =
                rebuild(layout, source, table, damaged, copied, position -> position < layout.contentChunks());
        contents.putAll(copied);
        long copiedBytes = (long) copied.size() * layout.chunkBytes() + (tablesAreLost ? layout.tableBytes() : 0);
        return new Healing(layout, table, List.copyOf(damaged), tableIsDamaged, contents, copiedBytes);
    }

    /// The positions of the chunks that do not match this table.
    private static <E extends Exception> List<Integer> damaged(ParityLayout layout, Source<E> source, ChunkTable table)
            throws E {
        var damaged = new ArrayList<Integer>();
        scan(layout, source, 0, (position, lot, from) -> {
            if (!table.matches(position, lot, from, layout.chunkBytes())) {
                damaged.add(position);
            }
        });
        return damaged;
    }

    private static <E extends Exception> Optional<ChunkTable> tableOf(Source<E> copy, ParityLayout layout) throws E {
        Optional<ChunkTable> first = table(copy, layout.firstTable(), layout.tableBytes());
        return first.isPresent() ? first : table(copy, layout.secondTable(), layout.tableBytes());
    }

    /// Whether everything is intact that follows the contents. The contents themselves are not read, except for their
    /// last chunk.
    public static <E extends Exception> boolean isParityIntact(ParityLayout layout, Source<E> source) throws E {
        Optional<ChunkTable> table = table(source, layout.firstTable(), layout.tableBytes());
        if (table.isEmpty() || !table.equals(table(source, layout.secondTable(), layout.tableBytes()))) {
            return false;
        }
        var intact = new AtomicBoolean(true);
        scan(layout, source, Math.max(0, layout.contentChunks() - 1), (position, lot, from) -> {
            if (!table.get().matches(position, lot, from, layout.chunkBytes())) {
                intact.set(false);
            }
        });
        return intact.get();
    }

    private static <E extends Exception> Optional<ChunkTable> table(Source<E> source, long offset, int length)
            throws E {
        byte[] lot = new byte[Math.min(length, LOT_BYTES)];
        byte[] table = new byte[lot.length]; // It grows, because the file may not have so many bytes.
        for (int done = 0; done < length; ) {
            int wanted = Math.min(lot.length, length - done);
            if (source.read(offset + done, lot, wanted) < wanted) {
                return Optional.empty();
            }
            if (done + wanted > table.length) {
                table = Arrays.copyOf(table, (int) Math.min(length, 2L * table.length));
            }
            System.arraycopy(lot, 0, table, done, wanted);
            done += wanted;
        }
        return ChunkTable.parse(table);
    }

    /// Takes each chunk in order; those that the file no longer has as zeros.
    private interface Visitor {
        void chunk(int position, byte[] lot, int from);
    }

    private static <E extends Exception> void scan(ParityLayout layout, Source<E> source, int first, Visitor visitor)
            throws E {
        int chunk = layout.chunkBytes();
        byte[] lot = new byte[Math.max(1, LOT_BYTES / chunk) * chunk];
        int position = first;
        while (position < layout.chunks()) {
            // The table is between the contents and the parity.
            int end = position < layout.contentChunks() ? layout.contentChunks() : layout.chunks();
            int chunks = Math.min(lot.length / chunk, end - position);
            int there = source.read(layout.offset(position), lot, chunks * chunk);
            Arrays.fill(lot, there, chunks * chunk, (byte) 0);
            for (int i = 0; i < chunks; i++) {
                visitor.chunk(position + i, lot, i * chunk);
            }
            position += chunks;
        }
    }

    /// Computes those damaged chunks that are wanted from the others of their groups.
    ///
    /// @param known the bytes of those damaged chunks that need not be computed
    private static <E extends Exception> NavigableMap<Integer, byte[]> rebuild(
            ParityLayout layout,
            Source<E> source,
            ChunkTable table,
            List<Integer> damaged,
            Map<Integer, byte[]> known,
            IntPredicate wanted)
            throws E, UnhealableException {
        var positions = new HashMap<Long, Integer>();
        var rebuilt = new TreeMap<Integer, byte[]>();
        for (int position : damaged) {
            if (!known.containsKey(position)) {
                Integer other = positions.put(layout.group(position), position);
                if (other != null) {
                    throw new UnhealableException(
                            "it is damaged in places that share their parity: at offsets %d and %d"
                                    .formatted(layout.offset(other), layout.offset(position)));
                }
                if (wanted.test(position)) {
                    rebuilt.put(position, new byte[layout.chunkBytes()]);
                }
            }
        }
        if (!rebuilt.isEmpty()) {
            scan(layout, source, 0, (position, lot, from) -> {
                Integer lost = positions.get(layout.group(position));
                byte[] sum = lost == null || lost == position ? null : rebuilt.get(lost);
                byte[] good = known.get(position);
                if (sum != null) {
                    Xor.into(sum, 0, good == null ? lot : good, good == null ? from : 0, sum.length);
                }
            });
        }
        for (Map.Entry<Integer, byte[]> chunk : rebuilt.entrySet()) {
            if (!table.matches(chunk.getKey(), chunk.getValue(), 0, layout.chunkBytes())) {
                throw new UnhealableException("its parity does not fit its chunks");
            }
        }
        return rebuilt;
    }

    /// Whether the file has damage.
    public boolean isNeeded() {
        return !damaged.isEmpty() || tableIsDamaged;
    }

    /// Where the first damaged chunk of the contents begins; −1 if the contents are intact.
    public long firstOffset() {
        return contents.isEmpty() ? -1 : layout.offset(contents.firstKey());
    }

    /// The size of the damaged chunks of the contents.
    public long healedBytes() {
        return (long) contents.size() * layout.chunkBytes();
    }

    /// How many bytes the copy had to give.
    public long copiedBytes() {
        return copiedBytes;
    }

    /// Reads contents of the file, with the bytes that damaged chunks had.
    public <E extends Exception> void read(Source<E> source, long offset, byte[] target, int length) throws E {
        source.read(offset, target, length);
        int chunk = layout.chunkBytes();
        int first = (int) (offset / chunk);
        int last = (int) ((offset + length - 1) / chunk);
        contents.subMap(first, true, last, true).forEach((position, bytes) -> {
            long start = layout.offset(position);
            int from = (int) Math.max(0, offset - start);
            int to = (int) Math.min(chunk, offset + length - start);
            System.arraycopy(bytes, from, target, (int) (start + from - offset), to - from);
        });
    }

    /// Writes the whole file as it was written first: contents, parity and both tables. Every chunk is compared with
    /// its checksum once more before it is handed over.
    ///
    /// @throws UnhealableException if a chunk is damaged that was not damaged before
    public <E extends Exception> void write(Source<E> source, ParityBuilder.Sink<E> sink)
            throws E, UnhealableException {
        NavigableMap<Integer, byte[]> parity = rebuild(layout, source, table, damaged, contents, _ -> true);
        int chunk = layout.chunkBytes();
        int contentChunks = layout.contentChunks();
        byte[] checksums = table.bytes();
        for (boolean ofParity : new boolean[] {false, true}) {
            NavigableMap<Integer, byte[]> healed = ofParity ? parity : contents;
            int first = ofParity ? contentChunks : 0;
            int end = ofParity ? layout.chunks() : contentChunks;
            byte[] lot = new byte[Math.max(1, LOT_BYTES / chunk) * chunk];
            for (int position = first; position < end; position += lot.length / chunk) {
                int chunks = Math.min(lot.length / chunk, end - position);
                fill(source, position, chunks, healed, lot);
                sink.append(lot, 0, chunks * chunk);
            }
            sink.append(checksums, 0, checksums.length);
        }
    }

    /// Reads consecutive chunks, which the table does not separate, as they were written.
    private <E extends Exception> void fill(
            Source<E> source, int first, int chunks, NavigableMap<Integer, byte[]> healed, byte[] lot)
            throws E, UnhealableException {
        int chunk = layout.chunkBytes();
        int there = source.read(layout.offset(first), lot, chunks * chunk);
        Arrays.fill(lot, there, chunks * chunk, (byte) 0);
        healed.subMap(first, true, first + chunks - 1, true)
                .forEach((position, bytes) -> System.arraycopy(bytes, 0, lot, (position - first) * chunk, chunk));
        for (int i = 0; i < chunks; i++) {
            if (!table.matches(first + i, lot, i * chunk, chunk)) {
                throw new UnhealableException(
                        "it was damaged further while it was read: at offset " + layout.offset(first + i));
            }
        }
    }
}
