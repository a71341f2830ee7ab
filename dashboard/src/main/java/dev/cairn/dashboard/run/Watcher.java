package dev.cairn.dashboard.run;

import dev.cairn.store.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Reads the runs that somebody looks at, one at a time, on one thread: a dashboard takes little from a training on
/// the same host, however many look. Runs that nobody looks at are not read.
public final class Watcher implements AutoCloseable {
    private static final Duration INTEREST = Duration.ofSeconds(10);
    private static final Duration LOOK = Duration.ofSeconds(2);
    private static final Duration LAST_PATIENCE = Duration.ofSeconds(2);
    private static final long PAUSE_MILLIS = 200;

    private final Places places;
    private final Clock clock;
    private final Map<WatchedRun, Long> wanted = new ConcurrentHashMap<>();
    private final Thread thread;
    private volatile boolean closed;
    private volatile long lookedNanos;
    private volatile long visitedNanos;

    /// Begins to watch.
    public Watcher(Places places, Clock clock) {
        this.places = places;
        this.clock = clock;
        places.look();
        this.lookedNanos = clock.nanos();
        this.visitedNanos = lookedNanos;
        this.thread = Thread.ofPlatform().name("cairn-watcher").daemon(true).start(this::run);
    }

    /// Says that somebody looks at a run.
    public void want(WatchedRun run) {
        wanted.put(run, clock.nanos());
        visit();
    }

    /// Says that somebody looks at all runs.
    public void wantAll() {
        long now = clock.nanos();
        places.runs().forEach(run -> wanted.put(run, now));
        visit();
    }

    private void visit() {
        visitedNanos = clock.nanos();
        synchronized (this) {
            notifyAll();
        }
    }

    /// Waits until a run has been read for the first time, but not longer than this.
    public void awaitFirst(WatchedRun run, Duration most) throws InterruptedException {
        want(run);
        long end = clock.nanos() + most.toNanos();
        long seen = run.view().version();
        while (!run.isRead() && run.trouble().isEmpty() && clock.nanos() < end) {
            seen = run.await(seen, Math.max(1, (end - clock.nanos()) / 1_000_000L));
        }
    }

    private void run() {
        try {
            while (!closed) {
                if (isSince(visitedNanos, INTEREST)) {
                    synchronized (this) {
                        wait(1000);
                    }
                    continue;
                }
                if (isSince(lookedNanos, LOOK)) {
                    places.look();
                    lookedNanos = clock.nanos();
                }
                wanted.entrySet().removeIf(entry -> isSince(entry.getValue(), INTEREST));
                readDue();
                synchronized (this) {
                    wait(PAUSE_MILLIS);
                }
            }
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
    }

    /// Those first that were asked for last.
    private void readDue() {
        List<WatchedRun> due = wanted.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .map(Map.Entry::getKey)
                .filter(WatchedRun::isDue)
                .toList();
        for (WatchedRun run : due) {
            if (closed) {
                return;
            }
            run.read();
        }
    }

    private boolean isSince(long nanos, Duration age) {
        return clock.nanos() - nanos >= age.toNanos();
    }

    /// Waits a moment for a read in progress.
    @Override
    public void close() {
        closed = true;
        synchronized (this) {
            notifyAll();
        }
        try {
            thread.join(LAST_PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
