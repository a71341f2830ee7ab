package dev.cairn.dashboard.story;

import dev.cairn.dashboard.points.Curve;

/// The loss of consecutive steps of one process.
///
/// @param limit the last step that is still valid: the training went back to it, or began again there
public record Stretch(Curve loss, long limit) {
    /// The same, of which a later attempt keeps the steps up to this one only.
    Stretch keptTo(long step) {
        return step >= limit ? this : new Stretch(loss, step);
    }
}
