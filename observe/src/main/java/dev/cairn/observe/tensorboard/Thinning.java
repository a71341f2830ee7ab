package dev.cairn.observe.tensorboard;

import java.util.HashMap;
import java.util.Map;

/// Keeps files small: from 16 MiB on every second record is left out, from 32 MiB on all but every fourth, and so on.
/// Thread-safe.
final class Thinning {
    private static final int FULL_SHIFT = 24;

    private final Map<String, Long> seen = new HashMap<>();
    private long bytes;

    synchronized void added(int count) {
        bytes += count;
    }

    /// Whether the next record of this kind is kept.
    synchronized boolean keepsNext(String kind) {
        return keeps(seen.merge(kind, 1L, Long::sum) - 1);
    }

    /// Whether the record with this place among those of its kind is kept.
    synchronized boolean keeps(long place) {
        return place % stride() == 0;
    }

    private long stride() {
        long times = bytes >>> FULL_SHIFT;
        return times == 0 ? 1 : 2 * Long.highestOneBit(times);
    }
}
