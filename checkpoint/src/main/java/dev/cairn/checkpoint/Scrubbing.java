package dev.cairn.checkpoint;

import java.time.Duration;

/// Whether the files of a run are read again while it is open, so that rot is found and healed before the files are
/// needed.
public sealed interface Scrubbing {
    /// The rate of [Usual].
    long USUAL_BYTES_PER_SECOND = 10_000_000;

    /// The period of [Usual].
    Duration USUAL_PERIOD = Duration.ofDays(1);

    /// Each file once a day, at 10 MB a second, if the run is in a folder. Object storage checks its own disks, and
    /// every request costs money, so nothing is read there.
    record Usual() implements Scrubbing {}

    /// No file is read again.
    record Off() implements Scrubbing {}

    /// Each file once in a period, wherever the run is.
    ///
    /// @param period the time between two checks of the same file
    /// @param bytesPerSecond the maximum number of bytes to read in a second
    record Every(Duration period, long bytesPerSecond) implements Scrubbing {
        public Every {
            if (period.isNegative() || period.isZero()) {
                throw new IllegalArgumentException("period=" + period + " is not a time; to check nothing, use Off");
            }
            if (bytesPerSecond < 1) {
                throw new IllegalArgumentException(
                        "bytesPerSecond=" + bytesPerSecond + " is too small; to read nothing, use Off");
            }
        }
    }
}
