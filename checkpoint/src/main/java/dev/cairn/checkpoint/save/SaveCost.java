package dev.cairn.checkpoint.save;

import dev.cairn.store.Attributes;
import java.time.Duration;

/// What a checkpoint cost when it was made, as its record tells.
///
/// @param stall how long the training waited for the capture
/// @param save how long encoding and writing took, up to the record itself
public record SaveCost(Duration stall, Duration save) {
    /// The attribute that keeps [#stall], in seconds.
    public static final String STALL = "cairn.stallSeconds";

    /// The attribute that keeps [#save], in seconds.
    public static final String SAVE = "cairn.saveSeconds";

    private static final double NANOS_PER_SECOND = 1e9;

    Attributes asAttributes() {
        return Attributes.empty()
                .with(STALL, stall.toNanos() / NANOS_PER_SECOND)
                .with(SAVE, save.toNanos() / NANOS_PER_SECOND);
    }
}
