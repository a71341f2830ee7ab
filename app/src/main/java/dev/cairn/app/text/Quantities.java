package dev.cairn.app.text;

import dev.cairn.train.Measure;
import java.time.Duration;
import java.util.Locale;

/// Sizes, times and shares as people read them.
public final class Quantities {
    private Quantities() {}

    public static String bytes(long bytes) {
        if (bytes < 1000) {
            return bytes + " B";
        }
        double value = bytes;
        String[] units = {"kB", "MB", "GB", "TB", "PB", "EB"};
        int unit = -1;
        while (value >= 999.5) {
            value /= 1000;
            unit++;
        }
        // Three digits, formatted by hand, because lists have thousands of sizes.
        int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
        long scaled = Math.round(decimals == 2 ? value * 100 : decimals == 1 ? value * 10 : value);
        String digits = Long.toString(scaled);
        int point = digits.length() - decimals;
        String number = decimals == 0 ? digits : digits.substring(0, point) + '.' + digits.substring(point);
        return number + ' ' + units[unit];
    }

    public static String seconds(double seconds) {
        if (seconds < 60) {
            return String.format(Locale.ROOT, seconds < 1 ? "%.3f s" : "%.1f s", seconds);
        }
        Duration duration = Duration.ofSeconds(Math.round(seconds));
        if (duration.toHours() >= 100) {
            return String.format(Locale.ROOT, "%d d %02d h", duration.toDays(), duration.toHoursPart());
        }
        return duration.toHours() > 0
                ? String.format(Locale.ROOT, "%d h %02d min", duration.toHours(), duration.toMinutesPart())
                : String.format(Locale.ROOT, "%d min %02d s", duration.toMinutes(), duration.toSecondsPart());
    }

    /// A time to the second, even if it is hours.
    public static String exactSeconds(double seconds) {
        Duration duration = Duration.ofSeconds(Math.round(seconds));
        return duration.toHours() > 0 && duration.toHours() < 100
                ? seconds(seconds) + String.format(Locale.ROOT, " %02d s", duration.toSecondsPart())
                : seconds(seconds);
    }

    /// A score in the usual form of its measure.
    public static String score(Measure measure, double value) {
        return switch (measure) {
            case ACCURACY -> percent(value);
            case RMSE -> decimal(value);
        };
    }

    public static String percent(double share) {
        return Double.isNaN(share) ? "–" : String.format(Locale.ROOT, "%.2f %%", 100 * share);
    }

    /// A share in few characters: `12.3 %`, `0.12 %`, `3e-07`.
    public static String share(double share) {
        if (Double.isNaN(share)) {
            return "–";
        }
        double percent = 100 * share;
        if (percent != 0 && percent < 0.01) {
            return String.format(Locale.ROOT, "%.0e", share);
        }
        return String.format(
                Locale.ROOT, percent < 9.995 ? "%.2f %%" : percent < 99.95 ? "%.1f %%" : "%.0f %%", percent);
    }

    /// How many times smaller the stored state is than in memory: `1.8x`, `23x`.
    public static String ratio(long full, long stored) {
        if (full == 0 || stored == 0) {
            return "-";
        }
        double ratio = (double) full / stored;
        return String.format(Locale.ROOT, ratio < 9.95 ? "%.1fx" : "%.0fx", ratio);
    }

    /// `1 checkpoint`, `2 checkpoints`.
    public static String count(long number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }

    public static String decimal(double value) {
        if (Double.isNaN(value)) {
            return "–";
        }
        return String.format(Locale.ROOT, Math.abs(value) < 1e6 ? "%.4f" : "%.4g", value);
    }
}
