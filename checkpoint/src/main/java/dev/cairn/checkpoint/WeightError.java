package dev.cairn.checkpoint;

import dev.cairn.store.Attributes;

/// The error of the weights of a checkpoint, in the Euclidean norm over all of them: `‖r − u‖`, where u are the
/// live weights and r the weights that a reader gets. The error itself is exact. The norms that it is divided by
/// are estimated from a sample.
///
/// @param ofState the error relative to the weights themselves, `‖u‖`
/// @param ofChange the error relative to the change since the previous checkpoint: 1 is the error that the
///     previous checkpoint would have if it were exact
public record WeightError(double ofState, double ofChange) {
    /// The error of a checkpoint that lost nothing.
    public static final WeightError NONE = new WeightError(0, 0);

    /// The attribute that keeps [#ofState] in the records of lossy checkpoints.
    public static final String OF_STATE = "cairn.errorOfState";

    /// The attribute that keeps [#ofChange] in the records of lossy checkpoints.
    public static final String OF_CHANGE = "cairn.errorOfChange";

    /// The error in the attributes of a checkpoint's record; [#NONE] if they have none.
    static WeightError of(Attributes attributes) {
        return attributes
                .number(OF_STATE)
                .map(ofState ->
                        new WeightError(ofState, attributes.number(OF_CHANGE).orElse(Double.NaN)))
                .orElse(NONE);
    }

    /// Returns the error for these sums of squares.
    public static WeightError of(double errorSquares, double stateSquares, double changeSquares) {
        return new WeightError(relative(errorSquares, stateSquares), relative(errorSquares, changeSquares));
    }

    /// Returns the square root of the ratio of two sums of squares; 0 if there is no error, whatever the other
    /// sum is.
    public static double relative(double errorSquares, double squares) {
        return errorSquares == 0 ? 0 : Math.sqrt(errorSquares / squares);
    }

    /// Returns the error as attributes of a record.
    public Attributes asAttributes() {
        return Attributes.empty().with(OF_STATE, ofState).with(OF_CHANGE, ofChange);
    }
}
