package dev.cairn.train.data;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// The scaling of pixels from 0 to 1 to inputs: `(pixel − mean) / spread`.
public record Scaling(float mean, float spread) {
    private static final int LEVELS = 256;

    /// No scaling.
    public static final Scaling NONE = new Scaling(0, 1);

    /// For `digits`: inputs then have mean 0 and variance 1.
    public static final Scaling DIGITS = new Scaling(0.149f, 0.2815f);

    /// From the mean and deviation of the 60,000 training images, as is the next one.
    public static final Scaling MNIST = new Scaling(0.1307f, 0.3081f);

    public static final Scaling FASHION_MNIST = new Scaling(0.2860f, 0.3530f);

    /// For generated images of any shape.
    public static final Scaling FAKE = new Scaling(0.5f, 0.18f);

    public Scaling {
        if (!Float.isFinite(mean) || !(spread > 0) || !Float.isFinite(spread)) {
            throw new IllegalArgumentException("not a scaling: mean=%s spread=%s".formatted(mean, spread));
        }
    }

    /// The input for a pixel from 0 to 1.
    float of(float pixel) {
        return (pixel - mean) / spread;
    }

    /// The input for a grey level.
    float ofLevel(int level) {
        return of(level / (LEVELS - 1f));
    }

    /// The inputs for all pairs of grey levels: each entry is the eight bytes of two floats in memory. The lower
    /// byte of the index is the first level.
    long[] ofPairs() {
        var bytes = ByteBuffer.allocate(2 * Float.BYTES).order(ByteOrder.nativeOrder());
        var inputs = new long[LEVELS * LEVELS];
        for (int pair = 0; pair < inputs.length; pair++) {
            bytes.putFloat(0, ofLevel(pair % LEVELS)).putFloat(Float.BYTES, ofLevel(pair / LEVELS));
            inputs[pair] = bytes.getLong(0);
        }
        return inputs;
    }
}
