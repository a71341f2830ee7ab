package dev.cairn.checkpoint.capture;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.capture.Capture.Timing;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The captures of a run's state, one after the other, and the time that the training waits for each. For the
/// training thread only.
public final class Captures implements AutoCloseable {
    private final CheckpointOptions options;
    private final Capture capture;
    private @Nullable PendingCapture pending;
    private boolean updateAnnounced;

    /// @param threads the threads, closed with this
    public Captures(CheckpointOptions options, CopyThreads threads) {
        this.options = options;
        this.capture = new Capture(options.resources().capture(), threads);
    }

    /// Announces an update, which waits for a running capture.
    public void announceUpdate() {
        updateAnnounced = true;
    }

    /// When a capture that starts now must be complete. The next update is expected to be announced only if the
    /// last one was.
    public Timing nextTiming() {
        Timing timing = updateAnnounced ? Timing.OVERLAPPED : Timing.BLOCKING;
        updateAnnounced = false;
        return timing;
    }

    /// Starts a capture. The previous one must have finished.
    public PendingCapture begin(List<LiveTensor> live, Timing timing) {
        var begun = new PendingCapture(options.resources().capture(), capture.begin(live, timing));
        pending = begun;
        return begun;
    }

    /// Waits until no thread reads the live tensors any more.
    ///
    /// @return the time that this took
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
