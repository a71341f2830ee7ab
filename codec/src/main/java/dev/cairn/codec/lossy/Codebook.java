package dev.cairn.codec.lossy;

import dev.cairn.codec.lossy.kernel.Floats;
import dev.cairn.codec.lossy.kernel.QuantizedBlock;
import java.util.Arrays;

/// A table of values and the borders between them. It maps every number to the id of the nearest value.
public final class Codebook {
    /// The maximum number of values in the table of a frame. Higher counts mean a mirrored table.
    public static final int MOST = 127;

    private final float[] values;
    private final float[] borders;
    private final byte[] ids;

    /// Creates a table of these values.
    ///
    /// @param values values other than zero, ascending; their ids are 1, 2, 3 …
    /// @param zero whether id 0, with the value 0, may be chosen
    public Codebook(float[] values, LloydMax.Zero zero) {
        if (values.length > MOST) {
            throw new IllegalArgumentException("a table of %d values, maximum %d".formatted(values.length, MOST));
        }
        this.values = values.clone();
        float[] all = zero == LloydMax.Zero.GIVEN ? withZero(values) : values.clone();
        ids = new byte[all.length];
        borders = new float[Math.max(0, all.length - 1)];
        int id = 0;
        for (int k = 0; k < all.length; k++) {
            if (!Floats.isSound(all[k]) || (k > 0 && !(all[k] > all[k - 1]))) {
                throw new IllegalArgumentException("invalid table of values: " + Arrays.toString(values));
            }
            ids[k] = (byte) (zero == LloydMax.Zero.GIVEN && all[k] == 0 ? 0 : ++id);
            if (k > 0) {
                borders[k - 1] = all[k - 1] * 0.5f + all[k] * 0.5f;
            }
        }
    }

    private static float[] withZero(float[] values) {
        float[] all = Arrays.copyOf(values, values.length + 1);
        Arrays.sort(all);
        return all;
    }

    /// Returns the id of the nearest value, or 0 if there are no values.
    int idOf(float number) {
        int low = 0;
        int high = borders.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (number > borders[middle]) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return ids.length == 0 ? 0 : ids[low];
    }

    /// Copies the values to a block that is about to be quantized.
    void fill(QuantizedBlock block) {
        block.values[0] = 0;
        System.arraycopy(values, 0, block.values, 1, values.length);
        block.largestId = values.length;
    }
}
