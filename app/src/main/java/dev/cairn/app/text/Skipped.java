package dev.cairn.app.text;

import dev.cairn.store.StoreException;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.LogRecord.Commit;
import java.util.OptionalLong;

/// The line about a checkpoint that was skipped because it is damaged.
public final class Skipped {
    private Skipped() {}

    /// A line about a checkpoint of the run.
    ///
    /// @param step the step of the checkpoint; empty if its record cannot be read
    public static String line(OptionalLong step, StoreException reason) {
        return "cairn: skipped %s: %s".formatted(name(step), reason.getMessage());
    }

    /// A line about a checkpoint of the copy.
    ///
    /// @param step the step of the checkpoint; empty if its record cannot be read
    public static String inCopy(OptionalLong step, StoreException reason) {
        return "cairn: skipped %s in the copy: %s".formatted(name(step), reason.getMessage());
    }

    /// A line about an entry of the log.
    public static String line(Entry entry, StoreException reason) {
        return line(
                entry instanceof Entry.Intact(Commit checkpoint)
                        ? OptionalLong.of(checkpoint.step())
                        : OptionalLong.empty(),
                reason);
    }

    private static String name(OptionalLong step) {
        return step.isPresent() ? "the checkpoint of step " + step.getAsLong() : "a checkpoint that cannot be read";
    }
}
