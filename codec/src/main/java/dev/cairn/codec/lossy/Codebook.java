package dev.cairn.codec.lossy;

import java.util.Arrays;

/// Some values and the borders between them: gives every number the id of the nearest.
public final class Codebook {
    /// The most values of a frame's table: higher counts say that it is mirrored.
    public static final int MOST = 127;

    private final float[] values;
    private final float[] borders;
    private final byte[] ids;

    /// A table of these values.
    ///
    /// @param values other than zero, ascending; their ids are 1, 2, 3 …
    /// @param zero whether id 0 is one of the choices, with the value 0
    public Codebook(float[] values, LloydMax.Zero zero) {
        if (values.length > MOST) {
            throw new IllegalArgumentException("a table of %d values, %d are possible".formatted(values.length, MOST));
        }
        this.values = values.clone();
        float[] all = zero == LloydMax.Zero.GIVEN ? withZero(values) : values.clone();
        ids = new byte[all.length];
        borders = new float[Math.max(0, all.length - 1)];
        int id = 0;
        for (int k = 0; k < all.length; k++) {
            if (!Floats.isSound(all[k]) || (k > 0 && !(all[k] > all[k - 1]))) {
                throw new IllegalArgumentException("not a table of values: " + Arrays.toString(values));
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

    /// The id of the nearest value; 0 where there are none.
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

    /// Gives the values to a block that is about to be quantized.
    void fill(QuantizedBlock block) {
        block.values[0] = 0;
        System.arraycopy(values, 0, block.values, 1, values.length);
        block.largestId = values.length;
    }
}
