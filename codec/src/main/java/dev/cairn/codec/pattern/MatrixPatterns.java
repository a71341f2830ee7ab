package dev.cairn.codec.pattern;

/// The patterns of one matrix, as a writer needs them. Immutable and safe to share.
public final class MatrixPatterns {
    private final Patterns patterns;
    private final int index;
    private final float[] lanes;
    private final double[] inverses = new double[Patterns.MOST];
    private final double size;

    /// @param index the index of the patterns in the segment
    public MatrixPatterns(Patterns patterns, int index) {
        this.patterns = patterns;
        this.index = index;
        this.lanes = patterns.byColumn();
        double squares = 0;
        for (int k = 0; k < patterns.count(); k++) {
            double own = patterns.squares(k);
            squares += own;
            inverses[k] = own == 0 ? 0 : 1 / own;
        }
        this.size = Math.sqrt(squares / patterns.count());
    }

    /// The patterns.
    public Patterns patterns() {
        return patterns;
    }

    int index() {
        return index;
    }

    /// The patterns column by column.
    float[] lanes() {
        return lanes;
    }

    /// One divided by the sum of the squares of a pattern's numbers; 0 for a pattern of zeros.
    double inverse(int pattern) {
        return inverses[pattern];
    }

    /// The scale with which an amount of 1 changes a row by this length, in the Euclidean norm.
    float scale(double length) {
        return size == 0 ? 0 : (float) (length / size);
    }
}
