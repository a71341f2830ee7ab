package dev.cairn.codec.lossy;

import java.util.ArrayList;
import java.util.List;

/// How a uniform quantizer cuts deltas. Magnitudes below 0.55 steps become 0; above come cells of one step each;
/// from the fifth on they grow wider, so that seven cells on each side reach far enough for outliers. What lies
/// beyond the last is counted to it: error feedback brings it back next time.
///
/// The dead zone is no wider than that on purpose: with error feedback, what is dropped comes back.
///
/// @param step width of the small cells
/// @param values what a delta of magnitude 1 to 7 becomes: best the mean of those in its cell
public record UniformSetting(float step, List<Float> values) {
    /// The largest magnitude.
    public static final int MAGNITUDES = 7;

    /// Half-width of the dead zone, in steps.
    public static final float THRESHOLD = 0.55f;

    /// The magnitude by `|delta| / step - 0.05`, rounded to the nearest.
    static final int[] MAGNITUDE_OF_CELL = {0, 1, 2, 3, 4, 4, 5, 5, 5, 6, 6, 6, 6, 6, 7, 7};

    /// Added before rounding.
    static final float CELL_OFFSET = 0.5f - THRESHOLD;

    /// Added to a small number, leaves its nearest integer in the low bits.
    static final float WHOLES = 1 << 23;

    /// The bits of [#WHOLES] with the last cell; all that lies beyond has larger ones, infinities and NaN too.
    static final int LAST_CELL = Float.floatToRawIntBits(WHOLES) + MAGNITUDE_OF_CELL.length - 1;

    /// The cell of a delta, without a branch and as the vector code does it.
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
            throw new IllegalArgumentException("not a table of values: " + values);
        }
    }

    /// Every value in the middle of its cell.
    public static UniformSetting ofStep(float step) {
        var values = new ArrayList<Float>();
        for (int magnitude = 1; magnitude <= MAGNITUDES; magnitude++) {
            values.add((float) ((lowerEnd(magnitude) + lowerEnd(magnitude + 1)) / 2 * step));
        }
        return new UniformSetting(step, values);
    }

    /// Where the cell of this magnitude, 1 to 7, begins, in steps; for 8, where that of 7 might end.
    public static double lowerEnd(int magnitude) {
        int cell = 0;
        while (cell < MAGNITUDE_OF_CELL.length && MAGNITUDE_OF_CELL[cell] < magnitude) {
            cell++;
        }
        return cell - 1 + (double) THRESHOLD;
    }

    void fill(float[] table) {
        table[0] = 0;
        table[8] = 0;
        for (int magnitude = 1; magnitude <= MAGNITUDES; magnitude++) {
            table[magnitude] = values.get(magnitude - 1);
            table[magnitude + 8] = -values.get(magnitude - 1);
        }
    }
}
