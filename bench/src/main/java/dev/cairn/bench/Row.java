package dev.cairn.bench;

import org.jspecify.annotations.Nullable;

/// One figure of a benchmark.
///
/// @param must what it has to reach; null for figures that stand for comparison only
/// @param aim what it should reach
/// @param ok whether it reaches what it must
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
