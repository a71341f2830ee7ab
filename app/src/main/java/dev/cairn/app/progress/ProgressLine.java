package dev.cairn.app.progress;

import dev.cairn.app.text.Quantities;
import dev.cairn.app.text.Sparkline;
import dev.cairn.observe.TrainingProgress.Snapshot;
import dev.cairn.train.Measure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// The progress of a training in one line. Where there is no room, what matters least is left out first.
public final class ProgressLine {
    private static final String GAP = "  ";
    private static final int LONGEST_CURVE = 12;
    private static final int FEWEST_VALUES = 4;

    private ProgressLine() {}

    /// @param rank the least important pieces, with the highest rank, are left out first
    private record Piece(int rank, String text) {}

    /// The line.
    ///
    /// @param columns how many characters fit
    /// @param curves whether the loss is drawn, too
    public static String of(Snapshot now, Glance.View view, int columns, boolean curves) {
        var pieces = new ArrayList<Piece>();
        pieces.add(new Piece(0, "step %d/%d".formatted(now.step(), now.steps())));
        pieces.add(new Piece(1, "loss " + Quantities.decimal(now.loss())));
        if (curves && view.losses().size() >= FEWEST_VALUES) {
            pieces.add(new Piece(
                    5,
                    Sparkline.of(
                            view.losses().stream()
                                    .mapToDouble(Double::doubleValue)
                                    .toArray(),
                            LONGEST_CURVE)));
        }
        Measure measure = Measure.named(now.measure());
        pieces.add(new Piece(7, measure.label() + " " + Quantities.score(measure, now.score())));
        if (!Double.isNaN(view.stepsPerSecond())) {
            pieces.add(new Piece(6, speed(view.stepsPerSecond())));
        }
        pieces.add(new Piece(9, "checkpoints " + now.checkpoints()));
        if (view.savedStep() >= 0) {
            pieces.add(new Piece(3, "saved " + view.savedStep()));
        }
        view.next().ifPresent(next -> pieces.add(new Piece(4, "next " + text(next))));
        now.copyLag()
                .map(CopyText::progress)
                .filter(text -> !text.isBlank())
                .ifPresent(text -> pieces.add(new Piece(8, text.strip())));
        pieces.add(new Piece(2, "left " + Quantities.seconds(now.remainingSeconds())));
        return fitting(pieces, columns);
    }

    private static String speed(double stepsPerSecond) {
        return String.format(Locale.ROOT, stepsPerSecond < 10 ? "%.2f/s" : "%.0f/s", stepsPerSecond);
    }

    private static String text(Glance.Next next) {
        return switch (next) {
            case Glance.Next.AtStep(long step) -> Long.toString(step);
            case Glance.Next.In(var time) when time.isZero() -> "now";
            case Glance.Next.In(var time) -> "in " + Quantities.seconds(time.toMillis() / 1e3);
        };
    }

    private static String fitting(List<Piece> all, int columns) {
        var kept = new ArrayList<>(all);
        while (kept.size() > 1 && text(kept).length() > columns) {
            kept.remove(kept.stream().max(Comparator.comparingInt(Piece::rank)).orElseThrow());
        }
        return text(kept);
    }

    private static String text(List<Piece> pieces) {
        return pieces.stream().map(Piece::text).collect(Collectors.joining(GAP));
    }
}
