package dev.cairn.store.reading;

/// Adds up a Euclidean norm, also of numbers whose squares a double cannot hold.
final class Norm {
    private static final double LARGE = 0x1p500;
    private static final double SMALL = 0x1p-500;

    private double squares;
    private double largeSquares;
    private double smallSquares;

    /// Counts in a finite number.
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
