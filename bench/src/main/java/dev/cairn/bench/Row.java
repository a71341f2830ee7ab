package dev.cairn.bench;

import org.jspecify.annotations.Nullable;

/// One figure of a benchmark.
///
/// @param must the required value; null for figures that are only for comparison
/// @param aim the desired value
/// @param ok whether it reaches the required value
public record Row(
        String name,
        double value,
        String unit,
        @Nullable Double must,
        @Nullable Double aim,
        boolean ok) {
    public static Row atLeast(String name, double value, String unit, double must, double aim) {
        return new Row(name, value, unit, must, aim, value >= must);
    }

    public static Row atMost(String name, double value, String unit, double must, double aim) {
        return new Row(name, value, unit, must, aim, value <= must);
    }

    public static Row plain(String name, double value, String unit) {
        return new Row(name, value, unit, null, null, true);
    }
}
