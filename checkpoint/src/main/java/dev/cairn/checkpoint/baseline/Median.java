package dev.cairn.checkpoint.baseline;

/// The median of a tensor's magnitudes, in float32; the lower one if there are two. Counted in two passes, not
/// sorted.
final class Median {
    private static final int LOW_BITS = 16;

    private Median() {}

    static double ofMagnitudes(TensorPair tensor) {
        long[] high = new long[1 << 15];
        for (long i = 0; i < tensor.elements(); i++) {
            high[bits(tensor, i) >>> LOW_BITS]++;
        }
        long rank = (tensor.elements() - 1) / 2;
        int prefix = 0;
        while (rank >= high[prefix]) {
            rank -= high[prefix++];
        }
        long[] low = new long[1 << LOW_BITS];
        for (long i = 0; i < tensor.elements(); i++) {
            int bits = bits(tensor, i);
            if (bits >>> LOW_BITS == prefix) {
                low[bits & 0xffff]++;
            }
        }
        int rest = 0;
        while (rank >= low[rest]) {
            rank -= low[rest++];
        }
        return Float.intBitsToFloat((prefix << LOW_BITS) | rest);
    }

    private static int bits(TensorPair tensor, long i) {
        return Float.floatToIntBits((float) Math.abs(tensor.value(i)));
    }
}
