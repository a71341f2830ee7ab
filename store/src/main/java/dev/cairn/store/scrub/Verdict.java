package dev.cairn.store.scrub;

import dev.cairn.store.DamagedException;

/// What a check of one file found.
public sealed interface Verdict {
    /// Every byte is as it was written.
    record Good() implements Verdict {}

    /// The file was damaged, and was rewritten as it was first written.
    ///
    /// @param source what its bytes were computed or copied from
    record Rewritten(DamagedException damage, String source) implements Verdict {}

    /// The file is damaged or missing, and the run has not enough to heal it.
    record Lost(DamagedException damage) implements Verdict {}

    /// Nothing needs the file any more. It was removed during the check.
    record Gone() implements Verdict {}
}
