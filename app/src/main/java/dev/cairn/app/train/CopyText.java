package dev.cairn.app.train;

import dev.cairn.app.text.Json;
import dev.cairn.app.text.Quantities;
import dev.cairn.checkpoint.CopyLag;

/// How the copy of a run stands, in words.
final class CopyText {
    private CopyText() {}

    /// For the line that changes while the training runs.
    static String progress(CopyLag lag) {
        if (lag.isNone()) {
            return "  copied";
        }
        if (!lag.kept()) {
            return "  copy not kept up";
        }
        if (!lag.reachable()) {
            return "  copy not reachable";
        }
        return lag.steps().isEmpty()
                ? "  copying"
                : "  copy %d steps (%s) behind"
                        .formatted(lag.steps().getAsLong(), Quantities.seconds(Json.seconds(lag.time())));
    }

    /// What the copy is where it has not all that was saved: the rest of a sentence.
    static String state(CopyLag lag) {
        if (!lag.kept()) {
            return "is not kept up any more";
        }
        if (lag.steps().isEmpty()) {
            return lag.reachable() ? "is not begun" : "is not reachable";
        }
        long steps = lag.steps().getAsLong();
        return lag.reachable()
                ? "is %,d steps behind".formatted(steps)
                : "is not reachable, and was %,d steps behind what is saved now".formatted(steps);
    }

    /// For the summary of a training.
    ///
    /// @param copy its name
    static String atTheEnd(String copy, CopyLag lag) {
        return lag.isNone()
                ? "complete in " + copy
                : "%s %s; the next start goes on copying".formatted(copy, state(lag));
    }

    /// The last line of a training whose copy is not complete.
    ///
    /// @param copy its name
    static String incomplete(String copy, CopyLag lag) {
        return "cairn: the run is saved, but its copy in %s %s; see above, then start the same command again"
                .formatted(copy, state(lag));
    }
}
