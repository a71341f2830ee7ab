package dev.cairn.checkpoint.capture;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.capture.Capture.Timing;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The captures of a run's state, one after the other, and how long the training waits for each. For the
/// training thread.
public final class Captures implements AutoCloseable {
    private final CheckpointOptions options;
    private final Capture capture;
    private @Nullable PendingCapture pending;
    private boolean updateAnnounced;

    /// @param threads closed with this
    public Captures(CheckpointOptions options, CopyThreads threads) {
        this.options = options;
        this.capture = new Capture(options.resources().capture(), threads);
    }

    /// The next update waits for the capture that goes on then.
    public void announceUpdate() {
        updateAnnounced = true;
    }

    /// When a capture that begins now must be over: only where the last update was announced is the next one
    /// expected to be.
    public Timing nextTiming() {
        Timing timing = updateAnnounced ? Timing.OVERLAPPED : Timing.BLOCKING;
        updateAnnounced = false;
        return timing;
    }

    /// Begins to capture; the one before must be over.
    public PendingCapture begin(List<LiveTensor> live, Timing timing) {
        var begun = new PendingCapture(options.resources().capture(), capture.begin(live, timing));
        pending = begun;
        return begun;
    }

    /// Waits until nobody reads the live tensors any more.
    ///
    /// @return how long that took
    public Duration await() {
        PendingCapture waitedFor = pending;
        pending = null;
        if (waitedFor == null || waitedFor.isOver()) {
            return Duration.ZERO;
        }
        long start = options.environment().time().nanos();
        waitedFor.await();
        Duration waited = Duration.ofNanos(options.environment().time().nanos() - start);
        waitedFor.waited(waited);
        return waited;
    }

    @Override
    public void close() {
        capture.close();
    }
}
