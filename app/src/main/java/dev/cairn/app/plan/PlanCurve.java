package dev.cairn.app.plan;

import dev.cairn.app.text.Prose;
import dev.cairn.app.text.Quantities;
import dev.cairn.app.text.Svg;
import dev.cairn.plan.time.Alternative;
import dev.cairn.plan.time.ExpectedTime;
import dev.cairn.plan.time.FailureLaw;
import dev.cairn.plan.time.Job;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Draws the expected time of a job over the interval between saves, as text or as SVG.
final class PlanCurve {
    /// How far the drawing extends around the best interval, as a factor.
    private static final double REACH = 16;

    private static final double LEAST_GAP = 0.09;

    private final Job job;
    private final List<Alternative> alternatives;
    private final double shortest;
    private final double longest;
    private final FailureLaw law;

    PlanCurve(Job job, FailureLaw law, List<Alternative> alternatives) {
        this.job = job;
        this.law = law;
        this.alternatives = alternatives;
        double best = alternatives.getFirst().interval();
        this.shortest = Math.max(best / REACH, Math.max(job.leastInterval(), job.work() * 1e-7));
        this.longest = Math.max(Math.min(best * REACH, job.work()), shortest * 1.01);
    }

    /// The time that the run takes beyond its work, as a share of the work.
    private double extra(double expected) {
        return expected / job.work() - 1;
    }

    private double[] curve(int points) {
        double[] extras = new double[points];
        for (int i = 0; i < points; i++) {
            double interval = shortest * Math.pow(longest / shortest, i / (points - 1.0));
            extras[i] = extra(ExpectedTime.of(job, interval, law));
        }
        return extras;
    }

    /// The top of the drawing. It cuts off the steep ends, so that the bottom of the curve is visible.
    private double top(double[] curve) {
        double least = Arrays.stream(curve).min().orElse(0);
        double most = Arrays.stream(curve).filter(Double::isFinite).max().orElse(least);
        return Math.max(Math.min(most, 4 * least), least * 1.02 + 1e-9);
    }

    private double position(double interval) {
        double clamped = Math.clamp(interval, shortest, longest);
        return Math.log(clamped / shortest) / Math.log(longest / shortest);
    }

    /// @param columns the maximum width
    String text(int columns) {
        int width = Math.clamp(columns - 10, 20, 90);
        int height = 10;
        double[] curve = curve(width);
        double top = top(curve);
        double bottom = Arrays.stream(curve).min().orElse(0);
        char[][] field = new char[height][width];
        for (char[] row : field) {
            Arrays.fill(row, ' ');
        }
        for (int x = 0; x < width; x++) {
            if (curve[x] <= top) {
                field[row(curve[x], bottom, top, height)][x] = '·';
            }
        }
        for (Alternative each : alternatives.reversed()) {
            double extra = extra(each.expected());
            if (extra <= top && each.interval() >= shortest && each.interval() <= longest) {
                int x = (int) Math.round(position(each.interval()) * (width - 1));
                field[row(extra, bottom, top, height)][x] = mark(each);
            }
        }
        var text = new StringBuilder();
        for (int y = 0; y < height; y++) {
            String label = y == 0 ? percent(top) : y == height - 1 ? percent(bottom) : "";
            text.append("%8s ┤".formatted(label))
                    .append(new String(field[y]).stripTrailing())
                    .append('\n');
        }
        String from = Quantities.seconds(shortest);
        String to = Quantities.seconds(longest);
        int gap = Math.max(1, width - from.length() - to.length());
        text.append(" ".repeat(9)).append('└').append("─".repeat(width)).append('\n');
        text.append(" ".repeat(10))
                .append(from)
                .append(" ".repeat(gap))
                .append(to)
                .append('\n');
        for (String legend : List.of(
                "expected time beyond the work, by the work between two saves",
                "* best, y Young, d Daly, a availability, b budget")) {
            Prose.lines(" ".repeat(10), legend, columns)
                    .forEach(line -> text.append(line).append('\n'));
        }
        return text.toString();
    }

    private static int row(double extra, double bottom, double top, int height) {
        return height - 1 - (int) Math.round((extra - bottom) / (top - bottom) * (height - 1));
    }

    private static char mark(Alternative alternative) {
        return alternative.name().equals("optimum") ? '*' : alternative.name().charAt(0);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, share < 0.1 ? "%.2f %%" : "%.1f %%", 100 * share);
    }

    String svg() {
        double width = 860;
        double height = 440;
        double left = 80;
        double right = width - 30;
        double base = height - 60;
        double ceiling = 50;
        var svg = new Svg(width, height);
        double[] curve = curve(300);
        double top = top(curve);
        double bottom = 0;
        svg.text(left, 26, "Expected time beyond the work, by the work between two saves", "font-size=\"15\"");
        for (int tick = 0; tick <= 5; tick++) {
            double extra = bottom + (top - bottom) * tick / 5;
            double y = base - (base - ceiling) * tick / 5;
            svg.line(left, y, right, y, "stroke=\"#ddd\"");
            svg.text(left - 8, y + 4, percent(extra), "text-anchor=\"end\" fill=\"#444\"");
        }
        for (double interval : ticks()) {
            double x = left + position(interval) * (right - left);
            svg.line(x, base, x, base + 5, "stroke=\"#444\"");
            String label = Quantities.seconds(interval)
                    .replaceFirst("\\.0 | 00 (s|min|h)$", " ")
                    .strip();
            svg.text(x, base + 20, label, "text-anchor=\"middle\" fill=\"#444\"");
        }
        svg.line(left, base, right, base, "stroke=\"#444\"");
        var points = new ArrayList<Double>();
        for (int i = 0; i < curve.length; i++) {
            if (curve[i] <= top) {
                points.add(left + i / (curve.length - 1.0) * (right - left));
                points.add(base - (curve[i] - bottom) / (top - bottom) * (base - ceiling));
            }
        }
        svg.polyline(
                points.stream().mapToDouble(Double::doubleValue).toArray(), "stroke=\"#1b6ca8\" stroke-width=\"2\"");
        int label = 0;
        for (Alternative each : alternatives.reversed()) {
            double extra = extra(each.expected());
            if (extra <= top && each.interval() >= shortest && each.interval() <= longest) {
                double x = left + position(each.interval()) * (right - left);
                double y = base - (extra - bottom) / (top - bottom) * (base - ceiling);
                String colour = each.name().equals("optimum") ? "#c0392b" : "#333";
                double above = ceiling + 14 + 17 * label++;
                svg.line(x, above + 4, x, y, "stroke=\"#bbb\" stroke-dasharray=\"2 3\"");
                svg.circle(x, y, 4, "fill=\"" + colour + "\"");
                svg.text(x + 5, above + 4, each.name(), "fill=\"" + colour + "\"");
            }
        }
        return svg.toString();
    }

    /// Round times within the drawing, not too close to each other.
    private List<Double> ticks() {
        double[] round = {
            0.001,
            0.01,
            0.1,
            1,
            2,
            5,
            10,
            20,
            30,
            60,
            120,
            300,
            600,
            1200,
            1800,
            3600,
            7200,
            4 * 3600,
            8 * 3600,
            12 * 3600,
            86_400,
            2 * 86_400,
            4 * 86_400,
            8 * 86_400,
            16 * 86_400,
            32 * 86_400,
            64 * 86_400
        };
        var ticks = new ArrayList<Double>();
        for (double interval : round) {
            boolean inside = interval >= shortest && interval <= longest;
            if (inside && (ticks.isEmpty() || position(interval) - position(ticks.getLast()) > LEAST_GAP)) {
                ticks.add(interval);
            }
        }
        return ticks;
    }
}
