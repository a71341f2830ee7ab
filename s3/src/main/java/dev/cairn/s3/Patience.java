package dev.cairn.s3;

import java.time.Duration;

/// The limits on waiting for object storage. With them, every call returns or fails, whatever the network does.
///
/// @param attempts maximum number of times that a request is sent; the pauses between attempts grow and are random
/// @param firstPause maximum pause after the first failed attempt; it doubles with each further attempt
/// @param longestPause limit to which the pause grows
/// @param connect maximum time to establish a connection
/// @param silence maximum time to wait for the next bytes
/// @param attempt maximum time of one attempt of a small request
/// @param call maximum time of a small request with all its attempts
public record Patience(
        int attempts,
        Duration firstPause,
        Duration longestPause,
        Duration connect,
        Duration silence,
        Duration attempt,
        Duration call) {
    /// The minimum speed of a transfer, half a megabit per second. A slower transfer fails.
    private static final long SLOWEST_BYTES_A_SECOND = 64 << 10;

    /// The default, for usual networks. A small request fails within 20 seconds.
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

    /// The maximum time of one attempt to transfer this many bytes.
    Duration attempt(long bytes) {
        return attempt.plusSeconds(bytes / SLOWEST_BYTES_A_SECOND);
    }

    /// The maximum time of a request that transfers this many bytes, with all its attempts.
    Duration call(long bytes) {
        return call.plusSeconds(2 * bytes / SLOWEST_BYTES_A_SECOND);
    }
}
