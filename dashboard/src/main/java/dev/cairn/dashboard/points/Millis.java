package dev.cairn.dashboard.points;

import java.time.Instant;

/// Times as milliseconds since 1970. A time that no clock shows becomes the nearest one that a page can show.
public final class Millis {
    private static final long LAST_SECOND =
            Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();

    private Millis() {}

    /// From 1970 to the year 9999.
    public static long of(Instant time) {
        return Instant.ofEpochSecond(Math.clamp(time.getEpochSecond(), 0, LAST_SECOND), time.getNano())
                .toEpochMilli();
    }
}
