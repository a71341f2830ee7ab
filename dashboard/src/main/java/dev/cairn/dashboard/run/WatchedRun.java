package dev.cairn.dashboard.run;

import dev.cairn.dashboard.story.Attempt;
import dev.cairn.dashboard.story.Recordings;
import dev.cairn.dashboard.story.Story;
import dev.cairn.store.Clock;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.location.RunLocation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/// A run whose files are read again and again while somebody looks at it. Only reads, takes no lock of the run.
/// Thread-safe.
public final class WatchedRun {
    private static final int ID_BYTES = 8;

    /// How many times as long as the last reading took the files are left alone: a dashboard must not slow a training.
    private static final int PACE = 60;

    private static final long SHORTEST_NANOS = 500_000_000L;

    /// After the first reading of a long run, somebody waits for what is new.
    private static final long LONGEST_NANOS = 10_000_000_000L;

    private final String id;
    private final RunLocation location;
    private final Clock clock;
    private final Liveness liveness;
    private final Recordings recordings;
    private final Records records;
    private volatile Story story = Story.NOTHING;
    private volatile State state = State.UNKNOWN;
    private volatile Optional<String> trouble = Optional.empty();
    private volatile boolean isRead;
    private volatile long nextNanos;
    private long version;

    WatchedRun(RunLocation location, BlobStore blobs, Clock clock, Liveness liveness) {
        this.id = id(location);
        this.location = location;
        this.clock = clock;
        this.liveness = liveness;
        this.recordings = new Recordings(blobs);
        this.records = new Records(blobs, clock);
        this.nextNanos = clock.nanos();
    }

    /// Watches the run at this place.
    public static WatchedRun at(RunLocation location, BlobStore blobs, Clock clock) {
        return new WatchedRun(location, blobs, clock, Liveness.onThisHost());
    }

    static String id(RunLocation location) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(location.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, ID_BYTES);
        } catch (NoSuchAlgorithmException never) {
            throw new IllegalStateException(never);
        }
    }

    /// Names the run in addresses of pages. It says nothing about the place.
    public String id() {
        return id;
    }

    /// The place of the run.
    public RunLocation location() {
        return location;
    }

    /// The checkpoints that the run has now.
    public Records records() {
        return records;
    }

    /// Why the files could not be read the last time; empty if they were.
    public Optional<String> trouble() {
        return trouble;
    }

    /// Whether all files have been read at least once.
    public boolean isRead() {
        return isRead;
    }

    /// Whether the files may be read again already.
    boolean isDue() {
        return clock.nanos() - nextNanos >= 0;
    }

    /// Reads what is new, and wakes those who wait for it.
    ///
    /// @param closely whether somebody looks at this run, and not only at a list
    public void read(boolean closely) {
        long begin = clock.nanos();
        try {
            synchronized (recordings) {
                recordings.read(closely, this::tell);
            }
            setState(liveness());
            trouble = Optional.empty();
            isRead = true;
        } catch (IOException | RuntimeException unreadable) {
            trouble = Optional.of(String.valueOf(
                    unreadable.getMessage() == null ? unreadable.getClass().getSimpleName() : unreadable.getMessage()));
            wake();
        }
        long end = clock.nanos();
        nextNanos = end + Math.clamp(PACE * (end - begin), SHORTEST_NANOS, LONGEST_NANOS);
    }

    private State liveness() {
        return story.last()
                .map((Attempt last) -> liveness.of(last, clock.now()))
                .orElse(State.UNKNOWN);
    }

    private void tell(Story newer) {
        story = newer;
        state = liveness();
        wake();
    }

    private void setState(State newer) {
        if (state != newer) {
            state = newer;
            wake();
        }
    }

    private synchronized void wake() {
        version++;
        notifyAll();
    }

    /// What is known now.
    public synchronized RunView view() {
        return new RunView(id, location.name(), location.toString(), story, state, version, clock.now());
    }

    /// Waits until something is newer than this version, but not longer than so many milliseconds. Returns the
    /// present version.
    public synchronized long await(long seen, long millis) throws InterruptedException {
        long end = clock.nanos() + millis * 1_000_000L;
        while (version <= seen) {
            long left = (end - clock.nanos()) / 1_000_000L;
            if (left <= 0) {
                break;
            }
            wait(left);
        }
        return version;
    }
}
