package dev.cairn.s3;

import java.time.Duration;

/// The bounds on waiting for object storage: with them every call returns or fails, whatever the network does.
///
/// @param attempts how often a request is sent in all; pauses between grow, and differ by chance
/// @param firstPause the longest pause after the first failed attempt; it doubles with each
/// @param longestPause what it grows to
/// @param connect for a connection to be made
/// @param silence for the next bytes to come
/// @param attempt for one attempt of a small request
/// @param call for a small request in all
public record Patience(
        int attempts,
        Duration firstPause,
        Duration longestPause,
        Duration connect,
        Duration silence,
        Duration attempt,
        Duration call) {
    /// A transfer that is slower than this is given up: half a megabit a second.
    private static final long SLOWEST_BYTES_A_SECOND = 64 << 10;

    /// For networks as they are. A small request is given up within 20 seconds.
    public static Patience usual() {
        return new Patience(
                5,
                Duration.ofMillis(200),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofSeconds(20));
    }

    /// For one attempt to move so many bytes.
    Duration attempt(long bytes) {
        return attempt.plusSeconds(bytes / SLOWEST_BYTES_A_SECOND);
    }

    /// For a request that moves so many bytes, in all.
    Duration call(long bytes) {
        return call.plusSeconds(2 * bytes / SLOWEST_BYTES_A_SECOND);
    }
}
