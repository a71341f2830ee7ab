package dev.cairn.train.data.fetch;

import java.time.Duration;

/// How long a download waits for what.
///
/// @param attempts for each file
/// @param firstPause before the second attempt; doubles with each
/// @param connect for a connection
/// @param answer for the beginning of an answer
/// @param stall for the next bytes of it
/// @param lock for another process that downloads the same
public record Patience(
        int attempts, Duration firstPause, Duration connect, Duration answer, Duration stall, Duration lock) {
    public static final Patience USUAL = new Patience(
            4,
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(30),
            Duration.ofHours(1));
}
