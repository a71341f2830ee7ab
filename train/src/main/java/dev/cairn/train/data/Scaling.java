package dev.cairn.train.data;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// How pixels from 0 to 1 become inputs: `(pixel − mean) / spread`.
public record Scaling(float mean, float spread) {
    private static final int LEVELS = 256;

    /// As they are.
    public static final Scaling NONE = new Scaling(0, 1);

    /// For `digits`: inputs then have mean 0 and variance 1.
    public static final Scaling DIGITS = new Scaling(0.149f, 0.2815f);

    /// Of the 60,000 training images, as those that follow.
    public static final Scaling MNIST = new Scaling(0.1307f, 0.3081f);

    public static final Scaling FASHION_MNIST = new Scaling(0.2860f, 0.3530f);

    /// For generated images of any shape.
    public static final Scaling FAKE = new Scaling(0.5f, 0.18f);

    public Scaling {
        if (!Float.isFinite(mean) || !(spread > 0) || !Float.isFinite(spread)) {
            throw new IllegalArgumentException("not a scaling: mean=%s spread=%s".formatted(mean, spread));
        }
    }

    /// The input that a pixel from 0 to 1 is.
    float of(float pixel) {
        return (pixel - mean) / spread;
    }

    /// The input that a grey level is.
    float ofLevel(int level) {
        return of(level / (LEVELS - 1f));
    }

    /// The inputs of all pairs of grey levels, each the eight bytes of two floats in memory; of the pair's number the
    /// lower byte is the first level.
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
