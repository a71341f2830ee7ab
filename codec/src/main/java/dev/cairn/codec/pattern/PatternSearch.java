package dev.cairn.codec.pattern;

import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// Finds the patterns of a matrix in some of its rows, by orthogonal iteration (Golub and Van Loan, *Matrix
/// Computations*, 8.2.4). The result of the previous checkpoint is a good start, because patterns change slowly. Other
/// rows show how much the patterns explain, and so how many of them are worth their bits. For one matrix.
public final class PatternSearch {
    private static final int FIRST_ROUNDS = 4;
    private static final int LATER_ROUNDS = 2;

    /// Bits that a pattern takes for each column, and about as many as an amount takes for each row.
    private static final double BITS_OF_COLUMN = 4;

    private static final double BITS_OF_ROW = 3;

    /// The share of the ideal saving that is reached.
    private static final double EFFICIENCY = 0.8;

    /// One of so many parts of each test row is looked at: many rows, because they differ much, and not all of them.
    private static final int PARTS = 4;

    /// A usual step of the quantizer, in standard deviations of what patterns leave.
    private static final double STEP_OF_REST = 2.5;

    private static final double LN4 = Math.log(4);

    /// A number of a pattern is at most this many standard deviations.
    private static final double WIDEST = 4;

    private final int columns;
    private final PatternKernels kernels = new WarmPatterns();
    private float @Nullable [][] space;

    /// @param columns the length of a row
    public PatternSearch(int columns) {
        this.columns = columns;
    }

    /// Some rows of a matrix of deltas.
    public static final class Rows {
        private final float[] deltas;
        private final int count;

        /// @param deltas row by row
        public Rows(float[] deltas, int count) {
            this.deltas = deltas;
            this.count = count;
        }

        /// The deltas, row by row.
        public float[] deltas() {
            return deltas;
        }

        /// The number of rows.
        public int count() {
            return count;
        }
    }

    /// Patterns that save bits.
    public static final class Result {
        private final Patterns patterns;
        private final float[] rest;

        private Result(Patterns patterns, float[] rest) {
            this.patterns = patterns;
            this.rest = rest;
        }

        /// The patterns.
        public Patterns patterns() {
            return patterns;
        }

        /// Some of the deltas that they leave.
        public float[] rest() {
            return rest;
        }

        /// The precision of amounts with which so little is lost that it does not matter, however coarse the quantizer
        /// is.
        public double precision() {
            return PatternSearch.precision(squares(rest), rest.length);
        }
    }

    /// Returns the patterns that save bits; null if there are none.
    ///
    /// @param samples rows to find patterns in
    /// @param tests other rows of the same matrix
    /// @param rows the number of all rows
    public @Nullable Result next(Rows samples, Rows tests, long rows) {
        if (!isFinite(samples.deltas()) || !isFinite(tests.deltas())) {
            return null;
        }
        float[][] directions = space;
        int rounds = LATER_ROUNDS;
        if (directions == null) {
            directions = random(columns);
            rounds = FIRST_ROUNDS;
        }
        for (int round = 0; round < rounds; round++) {
            directions = improve(directions, samples);
        }
        space = directions;
        float[] dots = dots(tests, byColumn(directions));
        int count = worthwhile(squares(tests.deltas()), dots, tests.count(), rows);
        if (count == 0) {
            return null;
        }
        Patterns patterns = rounded(directions, count);
        return new Result(patterns, rest(tests, patterns));
    }

    private static double precision(double squares, int count) {
        return STEP_OF_REST * Math.sqrt(Math.max(squares, 0) / count);
    }

    private static boolean isFinite(float[] values) {
        return Double.isFinite(squares(values));
    }

    private static float[][] random(int columns) {
        var random = new Random(1);
        float[][] directions = new float[Patterns.MOST][columns];
        for (float[] direction : directions) {
            for (int j = 0; j < columns; j++) {
                direction[j] = (float) random.nextGaussian();
            }
        }
        orthonormalize(directions);
        return directions;
    }

    /// Moves the directions towards those in which the rows are longest.
    private float[][] improve(float[][] directions, Rows samples) {
        float[] dots = dots(samples, byColumn(directions));
        float[][] amounts = new float[Patterns.MOST][samples.count()];
        for (int k = 0; k < Patterns.MOST; k++) {
            for (int i = 0; i < samples.count(); i++) {
                amounts[k][i] = dots[i * Patterns.MOST + k];
            }
        }
        orthonormalize(amounts);
        float[][] better = new float[Patterns.MOST][columns];
        float[] row = new float[columns];
        for (int i = 0; i < samples.count(); i++) {
            System.arraycopy(samples.deltas(), i * columns, row, 0, columns);
            for (int k = 0; k < Patterns.MOST; k++) {
                add(better[k], row, amounts[k][i], columns);
            }
        }
        orthonormalize(better);
        return better;
    }

    private float[] dots(Rows rows, float[] lanes) {
        float[] dots = new float[rows.count() * Patterns.MOST];
        kernels.project(rows.deltas(), rows.count(), columns, lanes, dots);
        return dots;
    }

    private float[] byColumn(float[][] directions) {
        return new Patterns(columns, directions).byColumn();
    }

    /// The number of directions that together save most bits. What a direction explains lowers the information of all
    /// elements by half the logarithm of what remains.
    private int worthwhile(double squares, float[] dots, int tested, long rows) {
        double cost = BITS_OF_COLUMN * columns + BITS_OF_ROW * rows;
        double remaining = squares;
        double saved = 0;
        double most = 0;
        int count = 0;
        for (int k = 0; k < Patterns.MOST; k++) {
            double explained = 0;
            for (int i = 0; i < tested; i++) {
                explained += (double) dots[i * Patterns.MOST + k] * dots[i * Patterns.MOST + k];
            }
            double left = remaining - explained;
            if (!(left > 0)) {
                break;
            }
            saved += EFFICIENCY * rows * columns * Math.log(remaining / left) / LN4 - cost;
            remaining = left;
            if (saved > most) {
                most = saved;
                count = k + 1;
            }
        }
        return count;
    }

    private Patterns rounded(float[][] directions, int count) {
        double factor = Patterns.LARGEST * Math.sqrt(columns) / WIDEST;
        float[][] numbers = new float[count][columns];
        for (int k = 0; k < count; k++) {
            for (int j = 0; j < columns; j++) {
                int number = (int) Math.rint(directions[k][j] * factor);
                numbers[k][j] = Math.clamp(number, -Patterns.LARGEST, Patterns.LARGEST);
            }
        }
        return new Patterns(columns, numbers);
    }

    /// What the patterns leave of a part of each row, with amounts as coarse as those of blocks.
    private float[] rest(Rows tests, Patterns patterns) {
        var matrix = new MatrixPatterns(patterns, 0);
        float[] dots = dots(tests, matrix.lanes());
        double left = squares(tests.deltas());
        for (int i = 0; i < dots.length; i++) {
            left -= (double) dots[i] * dots[i] * matrix.inverse(i % Patterns.MOST);
        }
        double scale = matrix.scale(precision(left, tests.deltas().length));
        int part = Math.max(columns / PARTS, Patterns.LEAST_COLUMNS);
        float[] rest = new float[tests.count() * part];
        for (int i = 0; i < tests.count(); i++) {
            int from = i % PARTS * (columns - part) / (PARTS - 1);
            for (int j = 0; j < part; j++) {
                rest[i * part + j] = tests.deltas()[i * columns + from + j];
            }
            for (int k = 0; k < patterns.count(); k++) {
                double exact = dots[i * Patterns.MOST + k] * matrix.inverse(k);
                float amount = (float) (scale > 0 ? scale * Math.rint(exact / scale) : exact);
                for (int j = 0; amount != 0 && j < part; j++) {
                    rest[i * part + j] -= amount * patterns.numbers(k)[from + j];
                }
            }
        }
        return rest;
    }

    /// Gram and Schmidt's method. A vector without a part of its own becomes zero.
    private static void orthonormalize(float[][] vectors) {
        for (int k = 0; k < vectors.length; k++) {
            float[] vector = vectors[k];
            int length = vector.length;
            double before = Math.sqrt(dot(vector, vector));
            for (int l = 0; l < k; l++) {
                add(vector, vectors[l], (float) -dot(vector, vectors[l]), length);
            }
            double norm = Math.sqrt(dot(vector, vector));
            if (norm > 1e-5 * before) {
                float inverse = (float) (1 / norm);
                for (int j = 0; j < length; j++) {
                    vector[j] *= inverse;
                }
            } else {
                Arrays.fill(vector, 0);
            }
        }
    }

    private static void add(float[] to, float[] from, float factor, int count) {
        for (int j = 0; j < count; j++) {
            to[j] += factor * from[j];
        }
    }

    private static double squares(float[] values) {
        return dot(values, values);
    }

    /// Four sums, so that additions do not wait for each other.
    private static double dot(float[] a, float[] b) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        int j = 0;
        for (; j + 4 <= a.length; j += 4) {
            s0 += (double) a[j] * b[j];
            s1 += (double) a[j + 1] * b[j + 1];
            s2 += (double) a[j + 2] * b[j + 2];
            s3 += (double) a[j + 3] * b[j + 3];
        }
        for (; j < a.length; j++) {
            s0 += (double) a[j] * b[j];
        }
        return s0 + s1 + (s2 + s3);
    }
}
