package dev.cairn.codec.lossy.kernel;

import java.util.ArrayList;
import java.util.List;

/// The cells and values of a uniform quantizer. Deltas below 0.55 steps become 0. The cells of magnitudes 1 to 3 are
/// one step wide. From magnitude 4 on they are wider, so that seven cells on each side reach far enough for outliers.
/// Deltas beyond the last cell count as part of it: error feedback brings back the difference next time.
///
/// The dead zone is deliberately no wider: with error feedback, dropped deltas come back.
///
/// @param step the width of the small cells
/// @param values the values for deltas of magnitude 1 to 7, ideally the mean of the deltas in each cell
public record UniformSetting(float step, List<Float> values) {
    /// The largest magnitude.
    public static final int MAGNITUDES = 7;

    /// The half-width of the dead zone, in steps.
    public static final float THRESHOLD = 0.55f;

    /// The magnitude, indexed by `|delta| / step - 0.05` rounded to the nearest integer.
    static final int[] MAGNITUDE_OF_CELL = {0, 1, 2, 3, 4, 4, 5, 5, 5, 6, 6, 6, 6, 6, 7, 7};

    /// Added before rounding.
    static final float CELL_OFFSET = 0.5f - THRESHOLD;

    /// Added to a small number, it leaves the nearest integer in the low bits.
    static final float WHOLES = 1 << 23;

    /// The bits of [#WHOLES] plus the last cell. All larger numbers have larger bits, also infinities and NaN.
    static final int LAST_CELL = Float.floatToRawIntBits(WHOLES) + MAGNITUDE_OF_CELL.length - 1;

    /// Returns the cell of a delta, without a branch, as the vector code does.
    static int cell(float magnitude, float inverseStep) {
        int bits = Float.floatToRawIntBits(Math.fma(magnitude, inverseStep, CELL_OFFSET) + WHOLES);
        return Math.min(bits, LAST_CELL) & MAGNITUDE_OF_CELL.length - 1;
    }

    public UniformSetting {
        values = List.copyOf(values);
        if (!(step >= 1e-30f && step <= 1e30f)) {
            throw new IllegalArgumentException("step out of range: step=" + step);
        }
        if (values.size() != MAGNITUDES
                || values.stream().anyMatch(value -> !(value >= Floats.SMALLEST_VALUE && Float.isFinite(value)))) {
            throw new IllegalArgumentException("invalid table of values: " + values);
        }
    }

    /// Returns a setting with every value in the middle of its cell.
    public static UniformSetting ofStep(float step) {
        var values = new ArrayList<Float>();
        for (int magnitude = 1; magnitude <= MAGNITUDES; magnitude++) {
            values.add((float) ((lowerEnd(magnitude) + lowerEnd(magnitude + 1)) / 2 * step));
        }
        return new UniformSetting(step, values);
    }

    /// The start of the cell of this magnitude, 1 to 7, in steps. For 8, a plausible end of the cell of 7.
    public static double lowerEnd(int magnitude) {
        int cell = 0;
        while (cell < MAGNITUDE_OF_CELL.length && MAGNITUDE_OF_CELL[cell] < magnitude) {
            cell++;
        }
        return cell - 1 + (double) THRESHOLD;
    }

    /// Fills a table with the value of each id.
    public void fill(float[] table) {
        table[0] = 0;
        table[8] = 0;
        for (int magnitude = 1; magnitude <= MAGNITUDES; magnitude++) {
            table[magnitude] = values.get(magnitude - 1);
            table[magnitude + 8] = -values.get(magnitude - 1);
        }
    }
}
