package dev.cairn.checkpoint.save;

import dev.cairn.checkpoint.encode.StateEncoder.Effort;

/// Chooses how much work goes into a lossy delta. Patterns make it smaller, and take about as much processor time as
/// all the rest of its encoding. A training that saves after almost every step would lose more time by them than they
/// are worth: there, deltas are encoded quickly.
///
/// For one thread at a time.
final class EncodingPace {
    /// The processors that encoding with patterns may keep busy, on average.
    private static final double MOST_PROCESSORS = 0.5;

    /// How much longer the usual encoding takes than the quick one.
    private static final int USUAL_OF_QUICK = 2;

    private long previousNanos;
    private boolean saved;
    /// What the next delta would take with patterns; zero if that is not known.
    private long usualNanos;

    /// Returns the effort for a save that starts now.
    Effort next(long nowNanos) {
        long interval = nowNanos - previousNanos;
        boolean quick = saved && usualNanos > MOST_PROCESSORS * interval;
        previousNanos = nowNanos;
        saved = true;
        return quick ? Effort.QUICK : Effort.USUAL;
    }

    /// Notes how long the processors were busy with a lossy delta.
    void took(Effort effort, long encodingNanos) {
        usualNanos = switch (effort) {
            case USUAL -> encodingNanos;
            case QUICK -> USUAL_OF_QUICK * encodingNanos;
        };
    }
}
