package dev.cairn.app.progress;

import java.util.Arrays;

/// The course of a number over a whole training, in bounded memory: means of as many values each, ever more. Not
/// thread-safe.
final class Trail {
    private static final int MOST = 128;

    private final double[] means = new double[MOST];
    private int count;
    private long each = 1;
    private double sum;
    private long added;

    void add(double value) {
        if (!Double.isFinite(value)) {
            return;
        }
        sum += value;
        added++;
        if (added < each) {
            return;
        }
        means[count++] = sum / added;
        sum = 0;
        added = 0;
        if (count == MOST) {
            for (int i = 0; i < MOST / 2; i++) {
                means[i] = (means[2 * i] + means[2 * i + 1]) / 2;
            }
            count = MOST / 2;
            each *= 2;
        }
    }

    double[] values() {
        return Arrays.copyOf(means, count);
    }
}
