package dev.cairn.train.data.digits;

import dev.cairn.engine.CounterRandom;
import java.util.Arrays;
import java.util.List;

/// One movement of the pen from touching down to lifting: a Catmull-Rom spline through its points, interrupted at
/// corners. Immutable.
///
/// In text a point is `x,y`, a corner `x,y!`, and `;` lifts the pen: `20,6 80,6! 42,97; 32,52 74,48` is a seven
/// with a bar.
final class Stroke {
    private static final int SEGMENTS_PER_SPAN = 5;

    private final double[] xs;
    private final double[] ys;
    private final boolean[] corners;

    private Stroke(double[] xs, double[] ys, boolean[] corners) {
        this.xs = xs;
        this.ys = ys;
        this.corners = corners;
    }

    static List<Stroke> parse(String text) {
        return Arrays.stream(text.split(";", -1)).map(Stroke::parseOne).toList();
    }

    private static Stroke parseOne(String text) {
        String[] points = text.strip().split(" +", -1);
        if (points.length < 2) {
            throw new IllegalArgumentException("a stroke needs two points: stroke='" + text + "'");
        }
        var xs = new double[points.length];
        var ys = new double[points.length];
        var corners = new boolean[points.length];
        for (int i = 0; i < points.length; i++) {
            corners[i] = points[i].endsWith("!");
            int comma = points[i].indexOf(',');
            int end = points[i].length() - (corners[i] ? 1 : 0);
            xs[i] = Integer.parseInt(points[i], 0, comma, 10);
            ys[i] = Integer.parseInt(points[i], comma + 1, end, 10);
        }
        return new Stroke(xs, ys, corners);
    }

    /// This stroke as `hand` writes it, with a random wobble.
    Stroke writtenBy(Hand hand, CounterRandom random) {
        var movedXs = new double[xs.length];
        var movedYs = new double[ys.length];
        for (int i = 0; i < xs.length; i++) {
            double x = xs[i] + hand.wobble() * random.nextGaussian();
            double y = ys[i] + hand.wobble() * random.nextGaussian();
            movedXs[i] = hand.column(x, y);
            movedYs[i] = hand.row(x, y);
        }
        return new Stroke(movedXs, movedYs, corners);
    }

    void drawOn(Raster raster) {
        double x0 = xs[0];
        double y0 = ys[0];
        for (int span = 0; span < xs.length - 1; span++) {
            for (int i = 1; i <= SEGMENTS_PER_SPAN; i++) {
                double t = (double) i / SEGMENTS_PER_SPAN;
                double x1 = spline(xs, span, t);
                double y1 = spline(ys, span, t);
                raster.line(x0, y0, x1, y1);
                x0 = x1;
                y0 = y1;
            }
        }
    }

    /// One coordinate at `t` in [0, 1] between point `span` and the next. At a corner or an end, the curve ignores
    /// the points beyond it.
    private double spline(double[] points, int span, double t) {
        double p1 = points[span];
        double p2 = points[span + 1];
        double p0 = span == 0 || corners[span] ? p1 : points[span - 1];
        double p3 = span + 2 == points.length || corners[span + 1] ? p2 : points[span + 2];
        double cubic = 3 * (p1 - p2) + p3 - p0;
        double square = 2 * p0 - 5 * p1 + 4 * p2 - p3;
        return p1 + 0.5 * t * (p2 - p0 + t * (square + t * cubic));
    }
}
