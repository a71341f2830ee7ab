package dev.cairn.dashboard.points;

/// The part of a time axis that a screen shows, and in how many columns.
///
/// @param from in milliseconds since 1970
/// @param to the same; not before `from`
/// @param columns at least one
public record Window(long from, long to, int columns) {
    /// No screen shows more.
    public static final int MOST_COLUMNS = 4000;

    public Window {
        to = Math.max(from, to);
        columns = Math.clamp(columns, 1, MOST_COLUMNS);
    }

    /// The column in which this time is.
    public int column(long time) {
        double share = (double) (time - from) / Math.max(1.0, (double) (to - from));
        return Math.clamp((long) (share * columns), 0, columns - 1);
    }

    /// Whether it shows this time.
    public boolean has(long time) {
        return time >= from && time <= to;
    }
}
