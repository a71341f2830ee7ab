package dev.cairn.app.progress;

import dev.cairn.app.text.Json;
import dev.cairn.app.text.Quantities;
import dev.cairn.checkpoint.CopyLag;

/// Describes in words how far the copy of a run is behind.
public final class CopyText {
    private CopyText() {}

    /// Returns the text for the progress line.
    public static String progress(CopyLag lag) {
        if (lag.isNone()) {
            return "  copied";
        }
        if (!lag.kept()) {
            return "  copy not updated";
        }
        if (!lag.reachable()) {
            return "  copy not reachable";
        }
        return lag.steps().isEmpty()
                ? "  copying"
                : "  copy %d steps (%s) behind"
                        .formatted(lag.steps().getAsLong(), Quantities.seconds(Json.seconds(lag.time())));
    }

    /// Returns the predicate of a sentence about a copy that is not complete.
    public static String state(CopyLag lag) {
        if (!lag.kept()) {
            return "is no longer updated";
        }
        if (lag.steps().isEmpty()) {
            return lag.reachable() ? "has not been started" : "is not reachable";
        }
        if (lag.isNone()) { // what follows a copy failed: a removal, or a twin of a record
            return "has every checkpoint, but its last update failed";
        }
        long steps = lag.steps().getAsLong();
        return lag.reachable()
                ? "is %,d steps behind".formatted(steps)
                : "is not reachable, and was last %,d steps behind".formatted(steps);
    }

    /// Returns the text for the summary of a training.
    ///
    /// @param copy the name of the copy
    public static String atTheEnd(String copy, CopyLag lag) {
        return lag.isNone()
                ? "complete in " + copy
                : "%s %s; the next start continues the copy".formatted(copy, state(lag));
    }

    /// Returns the last line of a training whose copy is not complete.
    ///
    /// @param copy the name of the copy
    public static String incomplete(String copy, CopyLag lag) {
        return "cairn: the run is saved, but its copy in %s %s; see above, then start the same command again"
                .formatted(copy, state(lag));
    }
}
