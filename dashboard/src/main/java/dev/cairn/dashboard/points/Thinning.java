package dev.cairn.dashboard.points;

import java.util.function.LongPredicate;

/// Makes a curve that a screen can draw: of each column of pixels, the first, the lowest, the highest and the last
/// point. A line through these covers the same pixels as one through all points, so no spike is lost. Every gap stays.
public final class Thinning {
    /// A curve of a long gone attempt needs no more columns.
    public static final int MOST_KEPT_COLUMNS = 2000;

    private final Curve kept = new Curve();
    private final int[] chosen = new int[4];

    private Thinning() {}

    /// Returns the points of the window, and the next one at each side, so that lines reach the edges.
    public static Curve of(Curve curve, Window window) {
        return of(curve, window, _ -> true);
    }

    /// The same, of the points whose steps pass.
    public static Curve of(Curve curve, Window window, LongPredicate steps) {
        var thinning = new Thinning();
        int begin = Math.max(0, curve.from(window.from()) - 1);
        int end = Math.min(curve.size(), curve.from(window.to() + 1) + 1);
        int first = begin;
        while (first < end) {
            int last = first;
            int column = window.column(curve.time(first));
            while (last + 1 < end && window.column(curve.time(last + 1)) == column) {
                last++;
            }
            thinning.column(curve, first, last, steps);
            first = last + 1;
        }
        return thinning.kept.trimmed();
    }

    private void column(Curve curve, int first, int last, LongPredicate steps) {
        int lowest = -1;
        int highest = -1;
        int gap = -1;
        int begin = -1;
        int end = -1;
        for (int i = first; i <= last; i++) {
            if (!steps.test(curve.step(i))) {
                continue;
            }
            if (!Float.isFinite(curve.value(i))) {
                gap = i;
                continue;
            }
            begin = begin < 0 ? i : begin;
            end = i;
            lowest = lowest < 0 || curve.value(i) < curve.value(lowest) ? i : lowest;
            highest = highest < 0 || curve.value(i) > curve.value(highest) ? i : highest;
        }
        if (begin >= 0) {
            chosen[0] = begin;
            chosen[1] = Math.min(lowest, highest);
            chosen[2] = Math.max(lowest, highest);
            chosen[3] = end;
            int before = -1;
            for (int point : chosen) {
                if (point != before) {
                    kept.add(curve.time(point), curve.step(point), curve.value(point));
                }
                before = point;
            }
        }
        if (gap >= 0) {
            kept.add(curve.time(gap), curve.step(gap), Float.NaN);
        }
    }

    /// The window of all points.
    public static Window whole(Curve curve, int columns) {
        return curve.size() == 0
                ? new Window(0, 0, columns)
                : new Window(curve.time(0), curve.time(curve.size() - 1), columns);
    }
}
