package dev.cairn.checkpoint.scrub;

import dev.cairn.checkpoint.background.RightOfWay;
import dev.cairn.store.Clock;
import dev.cairn.store.scrub.Pace;
import java.io.InterruptedIOException;
import java.time.Duration;

/// Limits the rate of reads, and pauses while a save or merge runs. Unused time is not made up for. For one thread, and
/// another one that ends it: an interrupt would close files of the run that it has open.
final class ScrubPace implements Pace {
    private static final double NANOS_PER_SECOND = 1e9;

    /// How soon a thread that waits notices that it is to end.
    private static final long SLICE_NANOS = 20_000_000;

    private final long bytesPerSecond;
    private final Clock time;
    private final RightOfWay others;
    private volatile boolean ended;
    private long freeAt;

    ScrubPace(long bytesPerSecond, Clock time, RightOfWay others) {
        this.bytesPerSecond = bytesPerSecond;
        this.time = time;
        this.others = others;
        this.freeAt = time.nanos();
    }

    @Override
    public void before(int bytes) throws InterruptedIOException {
        try {
            for (long left = freeAt - time.nanos(); left > 0 && !ended; left = freeAt - time.nanos()) {
                time.pause(Duration.ofNanos(Math.min(left, SLICE_NANOS)));
            }
            others.await(() -> ended);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted between two reads");
        }
        if (ended) {
            throw new InterruptedIOException("the run is being closed");
        }
        freeAt = Math.max(freeAt, time.nanos()) + (long) (bytes * NANOS_PER_SECOND / bytesPerSecond);
    }

    /// Lets nothing more be read.
    void end() {
        ended = true;
        others.wake();
    }
}
