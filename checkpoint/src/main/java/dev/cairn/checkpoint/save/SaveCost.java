package dev.cairn.checkpoint.save;

import dev.cairn.store.Attributes;
import java.time.Duration;

/// The cost of a save, as its record tells it.
///
/// @param stall the time that the training waited for the capture
/// @param save the time for encoding and writing, without the record itself
public record SaveCost(Duration stall, Duration save) {
    /// The attribute that stores [#stall], in seconds.
    public static final String STALL = "cairn.stallSeconds";

    /// The attribute that stores [#save], in seconds.
    public static final String SAVE = "cairn.saveSeconds";

    private static final double NANOS_PER_SECOND = 1e9;

    Attributes asAttributes() {
        return Attributes.empty()
                .with(STALL, stall.toNanos() / NANOS_PER_SECOND)
                .with(SAVE, save.toNanos() / NANOS_PER_SECOND);
    }
}
