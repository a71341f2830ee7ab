package dev.cairn.codec;

/// What lossy encoding came to over some blocks: the sums of squares of the deltas it was given and of the errors
/// it left. Adds up; not thread-safe.
public final class Distortion {
    private double deltaSquares;
    private double errorSquares;
    private long elements;

    /// Counts a block in.
    public void add(double blockDeltaSquares, double blockErrorSquares, long blockElements) {
        deltaSquares += blockDeltaSquares;
        errorSquares += blockErrorSquares;
        elements += blockElements;
    }

    /// Counts all of the other in.
    public void add(Distortion other) {
        add(other.deltaSquares, other.errorSquares, other.elements);
    }

    /// The sum of the squares of `u − r` before.
    public double deltaSquares() {
        return deltaSquares;
    }

    /// The sum of the squares of `u − r` after.
    public double errorSquares() {
        return errorSquares;
    }

    /// How many elements were counted.
    public long elements() {
        return elements;
    }

    /// The error that remains, relative to the delta; 0 where there was none.
    public double relativeError() {
        return deltaSquares == 0 ? 0 : Math.sqrt(errorSquares / deltaSquares);
    }
}
