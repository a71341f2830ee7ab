package dev.cairn.dashboard.story;

/// A checkpoint that a training committed. It may have been removed since.
///
/// @param time in milliseconds since 1970
/// @param kind `base`, `delta` or `merged`
/// @param stallSeconds how long the training waited; NaN if it did not, as for a merge
/// @param persistSeconds how long it took until it was durable; NaN if unknown
public record Save(
        long time,
        long step,
        String kind,
        String codec,
        long storedBytes,
        long fullBytes,
        double stallSeconds,
        double persistSeconds) {}
