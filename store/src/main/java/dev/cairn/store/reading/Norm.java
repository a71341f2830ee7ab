package dev.cairn.store.reading;

/// Computes a Euclidean norm, even of numbers whose squares overflow or underflow a double.
final class Norm {
    private static final double LARGE = 0x1p500;
    private static final double SMALL = 0x1p-500;

    private double squares;
    private double largeSquares;
    private double smallSquares;

    /// Adds a finite number.
    void add(double value) {
        double size = Math.abs(value);
        if (size > LARGE) {
            largeSquares += size * SMALL * (size * SMALL);
        } else if (size < SMALL) {
            smallSquares += size * LARGE * (size * LARGE);
        } else {
            squares += size * size;
        }
    }

    double value() {
        if (largeSquares > 0) {
            return Math.hypot(Math.sqrt(largeSquares) * LARGE, Math.sqrt(squares));
        }
        return squares > 0 ? Math.sqrt(squares) : Math.sqrt(smallSquares) * SMALL;
    }
}
