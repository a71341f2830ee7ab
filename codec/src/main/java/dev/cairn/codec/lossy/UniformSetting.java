package dev.cairn.codec.lossy;

import java.util.Collections;
import java.util.List;

/// How a uniform quantizer cuts deltas: magnitudes below `threshold · step` become 0; above, the cells are `step` wide,
/// seven on each side, and what lies beyond the seventh is counted to it (error feedback brings it back next time).
///
/// @param step width of a cell
/// @param threshold half-width of the dead zone, in steps
/// @param offsets where in its cell a value of magnitude 1 to 7 is put back, in steps from the cell's lower end
public record UniformSetting(float step, float threshold, List<Float> offsets) {
    /// The largest magnitude.
    public static final int MAGNITUDES = 7;

    public UniformSetting {
        offsets = List.copyOf(offsets);
        if (!(step >= 1e-30f && step <= 1e30f)) {
            throw new IllegalArgumentException("step out of range: step=" + step);
        }
        if (!(threshold > 0 && threshold <= 1)
                || offsets.size() != MAGNITUDES
                || offsets.stream().anyMatch(offset -> !(offset >= 0 && offset <= 1))) {
            throw new IllegalArgumentException("not a cell: threshold=" + threshold + " offsets=" + offsets);
        }
    }

    /// Every value at the same place in its cell.
    public static UniformSetting of(float step, float threshold, float offset) {
        return new UniformSetting(step, threshold, Collections.nCopies(MAGNITUDES, offset));
    }

    /// The magnitude, 0 to 7, that a delta of this absolute value gets.
    public int magnitudeOf(float absolute) {
        return Math.min((int) (absolute * (1 / step) + (1 - threshold)), MAGNITUDES);
    }

    /// What a delta of this magnitude becomes.
    float value(int magnitude) {
        return (magnitude - 1 + threshold + offsets.get(magnitude - 1)) * step;
    }

    void fill(float[] values) {
        values[0] = 0;
        values[8] = 0;
        for (int magnitude = 1; magnitude <= MAGNITUDES; magnitude++) {
            values[magnitude] = value(magnitude);
            values[magnitude + 8] = -value(magnitude);
        }
    }
}
