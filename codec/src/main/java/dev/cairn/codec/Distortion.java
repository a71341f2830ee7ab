package dev.cairn.codec;

/// The distortion of lossy encoding over some blocks: the sums of the squared deltas before it and of the squared
/// errors after it. Distortions can be added. Not thread-safe.
public final class Distortion {
    private double deltaSquares;
    private double errorSquares;
    private long elements;

    /// Adds a block.
    public void add(double blockDeltaSquares, double blockErrorSquares, long blockElements) {
        deltaSquares += blockDeltaSquares;
        errorSquares += blockErrorSquares;
        elements += blockElements;
    }

    /// Adds all blocks of another distortion.
    public void add(Distortion other) {
        add(other.deltaSquares, other.errorSquares, other.elements);
    }

    /// The sum of the squares of `u − r` before encoding.
    public double deltaSquares() {
        return deltaSquares;
    }

    /// The sum of the squares of `u − r` after encoding.
    public double errorSquares() {
        return errorSquares;
    }

    /// The number of elements added.
    public long elements() {
        return elements;
    }

    /// The remaining error relative to the delta; 0 if there was no delta.
    public double relativeError() {
        return deltaSquares == 0 ? 0 : Math.sqrt(errorSquares / deltaSquares);
    }
}
