package dev.cairn.codec.parity;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Chunks that were read from a copy of the file. Parity heals one damaged chunk of each group, so all damaged chunks
/// of a group but one are asked for. Each must have its checksum, whatever the copy is.
final class CopiedChunks {
    /// The most that is kept in memory. A file with more damage is better copied as a whole.
    private static final long MOST_BYTES = 64 << 20;

    /// So many bytes are read at a time.
    private static final int LOT_BYTES = 1 << 20;

    private final ParityLayout layout;
    private final ChunkTable table;
    private final NavigableMap<Integer, byte[]> chunks = new TreeMap<>();
    private final Set<Integer> asked = new HashSet<>();

    private CopiedChunks(ParityLayout layout, ChunkTable table) {
        this.layout = layout;
        this.table = table;
    }

    /// Reads from the copy what parity cannot heal, as far as the copy has it.
    ///
    /// @param damaged the positions of all damaged chunks
    static <E extends Exception> NavigableMap<Integer, byte[]> read(
            ParityLayout layout, ChunkTable table, Healing.Source<E> copy, List<Integer> damaged) throws E {
        var copied = new CopiedChunks(layout, table);
        Map<Long, List<Integer>> groups = new HashMap<>();
        for (int position : damaged) {
            groups.computeIfAbsent(layout.group(position), _ -> new ArrayList<>(1))
                    .add(position);
        }
        while (true) {
            groups.values().forEach(group -> group.removeIf(copied.chunks::containsKey));
            groups.values().removeIf(group -> group.size() == 1);
            NavigableSet<Integer> next = copied.next(groups.values());
            if (next.isEmpty() || (long) (copied.asked.size() + next.size()) * layout.chunkBytes() > MOST_BYTES) {
                return copied.chunks;
            }
            copied.asked.addAll(next);
            copied.read(copy, next);
        }
    }

    /// The chunks to ask for next: of each group all but one. A chunk that the copy did not have is not asked for
    /// again, so another one takes its place.
    private NavigableSet<Integer> next(Iterable<List<Integer>> groups) {
        var next = new TreeSet<Integer>();
        for (List<Integer> group : groups) {
            // No reader of the contents needs a chunk of parity.
            group.stream()
                    .filter(position -> position < layout.contentChunks() && !asked.contains(position))
                    .limit(group.size() - 1L)
                    .forEach(next::add);
        }
        return next;
    }

    private <E extends Exception> void read(Healing.Source<E> copy, NavigableSet<Integer> positions) throws E {
        int chunk = layout.chunkBytes();
        int most = Math.max(1, LOT_BYTES / chunk);
        List<Integer> ordered = List.copyOf(positions);
        for (int from = 0; from < ordered.size(); ) {
            int first = ordered.get(from);
            int count = 1;
            while (count < most && from + count < ordered.size() && ordered.get(from + count) == first + count) {
                count++;
            }
            byte[] lot = new byte[count * chunk];
            int there = copy.read(layout.offset(first), lot, lot.length);
            Arrays.fill(lot, there, lot.length, (byte) 0);
            for (int i = 0; i < count; i++) {
                if (table.matches(first + i, lot, i * chunk, chunk)) {
                    chunks.put(first + i, Arrays.copyOfRange(lot, i * chunk, (i + 1) * chunk));
                }
            }
            from += count;
        }
    }
}
