package dev.cairn.dashboard.web;

import dev.cairn.store.Clock;
import java.util.LinkedHashMap;
import java.util.Map;

/// How many requests each address may make: so many at once, and so many a second over time. Memory is bounded: of many
/// addresses, those are forgotten that asked least recently. Thread-safe.
final class RateLimit {
    private static final int MOST_ADDRESSES = 1000;

    private final double most;
    private final double perSecond;
    private final Clock clock;
    private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
            return size() > MOST_ADDRESSES;
        }
    };

    /// @param most how many requests may come at once
    RateLimit(double most, double perSecond, Clock clock) {
        this.most = most;
        this.perSecond = perSecond;
        this.clock = clock;
    }

    /// How many addresses are remembered.
    synchronized int addresses() {
        return buckets.size();
    }

    /// @param left how many requests may still come
    /// @param nanos when that was so
    private record Bucket(double left, long nanos) {}

    /// Whether this request is one too many.
    synchronized boolean isTooMuch(String address) {
        long now = clock.nanos();
        Bucket before = buckets.getOrDefault(address, new Bucket(most, now));
        double left = Math.min(most, before.left() + (now - before.nanos()) / 1e9 * perSecond);
        buckets.put(address, new Bucket(Math.max(0, left - 1), now));
        return left < 1;
    }
}
