package dev.cairn.codec.pattern;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.Frame;
import dev.cairn.codec.FrameReader;

/// Rows of small whole numbers, of which the rows of a matrix have different amounts. Immutable and safe to share.
///
/// ```
/// patterns := columns:u32 count:u8 nibble*      pattern by pattern, the first number in the low half of a byte
/// ```
/// A number is stored as itself plus 8.
public final class Patterns {
    /// The maximum number of patterns. It is the number of lanes of a vector, because each lane computes one amount.
    public static final int MOST = 16;

    /// The minimum number of columns.
    public static final int LEAST_COLUMNS = 16;

    /// The maximum number of columns: a block has at least four rows.
    public static final int MOST_COLUMNS = 1 << 14;

    /// The largest magnitude of a number.
    static final int LARGEST = 7;

    /// The number of columns in a tile.
    static final int TILE = 32;

    /// The bits of the largest subnormal number.
    static final int LARGEST_SUBNORMAL = 0x007f_ffff;

    private static final int OFFSET = 8;

    private final int columns;
    private final float[][] numbers;
    private final float[] tiles;

    /// @param numbers the whole numbers of each pattern
    Patterns(int columns, float[][] numbers) {
        this.columns = columns;
        this.numbers = numbers;
        this.tiles = new float[columns / TILE * TILE * numbers.length];
        for (int i = 0; i < tiles.length; i++) {
            int row = i / TILE;
            tiles[i] = numbers[row % numbers.length][row / numbers.length * TILE + i % TILE];
        }
    }

    /// The number of elements in a row.
    public int columns() {
        return columns;
    }

    /// The number of patterns.
    public int count() {
        return numbers.length;
    }

    /// The numbers of a pattern.
    float[] numbers(int pattern) {
        return numbers[pattern];
    }

    /// The same numbers in the order in which vector code needs them: of the first [#TILE] columns, those of each
    /// pattern; then of the next columns. The last columns are left out if they do not fill a tile.
    float[] tiles() {
        return tiles;
    }

    /// The sum of the squares of a pattern's numbers.
    double squares(int pattern) {
        double sum = 0;
        for (float number : numbers[pattern]) {
            sum += number * number;
        }
        return sum;
    }

    /// The same numbers column by column. Each column has [#MOST] places, of which the last may be unused.
    float[] byColumn() {
        float[] lanes = new float[columns * MOST];
        for (int k = 0; k < numbers.length; k++) {
            for (int j = 0; j < columns; j++) {
                lanes[j * MOST + k] = numbers[k][j];
            }
        }
        return lanes;
    }

    /// Whether a matrix with rows of this length may have patterns.
    public static boolean suits(long columns) {
        return columns >= LEAST_COLUMNS && columns <= MOST_COLUMNS;
    }

    /// The number of bytes that [#write] appends.
    public long sizeBytes() {
        return Integer.BYTES + 1 + ((long) columns * count() + 1) / 2;
    }

    /// Appends the patterns.
    public void write(Frame frame) {
        frame.putInt(columns);
        frame.putByte(count());
        int low = -1;
        for (float[] pattern : numbers) {
            for (float number : pattern) {
                int nibble = (int) number + OFFSET;
                if (low >= 0) {
                    frame.putByte(low | (nibble << 4));
                    low = -1;
                } else {
                    low = nibble;
                }
            }
        }
        if (low >= 0) {
            frame.putByte(low);
        }
    }

    /// Reads what [#write] wrote.
    public static Patterns read(FrameReader in) throws CorruptBlockException {
        int columns = in.getCount(MOST_COLUMNS, "columns of a pattern");
        int count = in.getByte();
        if (columns < LEAST_COLUMNS || count < 1 || count > MOST) {
            throw in.corrupt("%d patterns of %d columns".formatted(count, columns));
        }
        in.need((columns * count + 1) / 2);
        float[][] numbers = new float[count][columns];
        int rest = 0;
        int pair = 0;
        for (float[] pattern : numbers) {
            for (int j = 0; j < columns; j++) {
                pair = rest == 0 ? in.getByte() : pair >>> 4;
                rest ^= 1;
                if ((pair & 15) == 0) {
                    throw in.corrupt("a number of a pattern is below -" + LARGEST);
                }
                pattern[j] = (pair & 15) - OFFSET;
            }
        }
        if (rest == 1 && pair >>> 4 != 0) {
            throw in.corrupt("a number beyond the last pattern");
        }
        return new Patterns(columns, numbers);
    }
}
