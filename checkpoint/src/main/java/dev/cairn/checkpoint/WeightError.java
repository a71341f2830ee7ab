package dev.cairn.checkpoint;

import dev.cairn.store.Attributes;

/// The error of a checkpoint's weights, in the Euclidean norm over all of them: `‖r − u‖`, where u is what
/// was live and r what a reader will hold. The error itself is exact; what it is compared with is estimated
/// from a sample.
///
/// @param ofState relative to the weights themselves, `‖u‖`
/// @param ofChange relative to the change since the checkpoint before: 1 is what that one, had it been exact, would
///     give
public record WeightError(double ofState, double ofChange) {
    /// Of a checkpoint that lost nothing.
    public static final WeightError NONE = new WeightError(0, 0);

    /// The attribute that keeps [#ofState] in the records of lossy checkpoints.
    public static final String OF_STATE = "cairn.errorOfState";

    /// The attribute that keeps [#ofChange] in the records of lossy checkpoints.
    public static final String OF_CHANGE = "cairn.errorOfChange";

    /// The error that the attributes of a checkpoint's record tell; [#NONE] where they tell none.
    static WeightError of(Attributes attributes) {
        return attributes
                .number(OF_STATE)
                .map(ofState ->
                        new WeightError(ofState, attributes.number(OF_CHANGE).orElse(Double.NaN)))
                .orElse(NONE);
    }

    /// The error of these sums of squares.
    public static WeightError of(double errorSquares, double stateSquares, double changeSquares) {
        return new WeightError(relative(errorSquares, stateSquares), relative(errorSquares, changeSquares));
    }

    /// The root of a ratio of squares; 0 where there is no error, whatever it is compared with.
    public static double relative(double errorSquares, double squares) {
        return errorSquares == 0 ? 0 : Math.sqrt(errorSquares / squares);
    }

    /// What a record says of it.
    public Attributes asAttributes() {
        return Attributes.empty().with(OF_STATE, ofState).with(OF_CHANGE, ofChange);
    }
}
