package dev.cairn.train.data.fetch;

import java.time.Duration;

/// The time limits of a download.
///
/// @param attempts the maximum number of attempts for each file
/// @param firstPause the pause before the second attempt; it doubles with each attempt
/// @param connect the limit for a connection
/// @param answer the limit for the start of an answer
/// @param stall the limit for the next bytes of an answer
/// @param lock the limit for another process that downloads the same data
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
