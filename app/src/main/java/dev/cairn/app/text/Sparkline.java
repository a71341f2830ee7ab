package dev.cairn.app.text;

import java.nio.charset.Charset;
import java.util.Arrays;

/// A curve in one line of text, a character for each value: `▇▅▃▂▁`. Values that are no numbers are gaps.
public final class Sparkline {
    private static final String BARS = "▁▂▃▄▅▆▇█";

    private Sparkline() {}

    /// Whether text in this charset can show one.
    public static boolean isPossible(Charset charset) {
        return charset.canEncode() && charset.newEncoder().canEncode(BARS);
    }

    /// The curve, from its least to its largest value; empty if there is no number.
    ///
    /// @param longest the maximum number of characters: of more values, each shows the mean of several
    public static String of(double[] values, int longest) {
        double[] shown = values.length <= longest ? values : means(values, longest);
        double least = Arrays.stream(shown).filter(Double::isFinite).min().orElse(Double.NaN);
        double most = Arrays.stream(shown).filter(Double::isFinite).max().orElse(Double.NaN);
        if (Double.isNaN(least)) {
            return "";
        }
        var line = new StringBuilder();
        for (double value : shown) {
            line.append(Double.isFinite(value) ? bar(value, least, most) : ' ');
        }
        return line.toString();
    }

    private static char bar(double value, double least, double most) {
        double share = most > least ? (value - least) / (most - least) : 0;
        return BARS.charAt((int) Math.min(BARS.length() - 1.0, share * BARS.length()));
    }

    private static double[] means(double[] values, int count) {
        double[] means = new double[count];
        for (int i = 0; i < count; i++) {
            int from = (int) ((long) values.length * i / count);
            int to = (int) ((long) values.length * (i + 1) / count);
            means[i] = Arrays.stream(values, from, to)
                    .filter(Double::isFinite)
                    .average()
                    .orElse(Double.NaN);
        }
        return means;
    }
}
