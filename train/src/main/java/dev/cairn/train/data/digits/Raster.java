package dev.cairn.train.data.digits;

import dev.cairn.engine.CounterRandom;
import java.util.Arrays;

/// The sheet on which one image is drawn. It stores for every pixel how near the pen came. Lines may be drawn in any
/// order and may leave the sheet. Reused from image to image; not thread-safe.
///
/// Only `+ - * /` and the square root are used, which IEEE 754 defines to the last bit.
final class Raster {
    static final int SIZE = 28;

    /// Half a pixel outside the edge of the pen, the ink has faded completely.
    private static final double FADE = 0.5;

    /// Four random bytes sum to 510 on average, with variance 4 * (256 * 256 - 1) / 12 = 21845.
    private static final int NOISE_MEAN = 510;
    private static final double NOISE_SCALE = 1 / Math.sqrt(21845);

    private final double[] squaredDistances = new double[SIZE * SIZE];
    private double penRadius;

    /// Clears the sheet and takes a round pen.
    void clear(double newPenRadius) {
        Arrays.fill(squaredDistances, Double.POSITIVE_INFINITY);
        penRadius = newPenRadius;
    }

    /// Draws a straight line. Pixel centres are at integer coordinates.
    void line(double x0, double y0, double x1, double y1) {
        double reach = penRadius + FADE;
        int left = Math.max(0, (int) Math.ceil(Math.min(x0, x1) - reach));
        int right = Math.min(SIZE - 1, (int) Math.floor(Math.max(x0, x1) + reach));
        int top = Math.max(0, (int) Math.ceil(Math.min(y0, y1) - reach));
        int bottom = Math.min(SIZE - 1, (int) Math.floor(Math.max(y0, y1) + reach));
        double dx = x1 - x0;
        double dy = y1 - y0;
        double squaredLength = dx * dx + dy * dy;
        double scale = squaredLength > 0 ? 1 / squaredLength : 0;
        for (int row = top; row <= bottom; row++) {
            for (int column = left; column <= right; column++) {
                double px = column - x0;
                double py = row - y0;
                double along = Math.min(1, Math.max(0, (px * dx + py * dy) * scale));
                double ex = px - along * dx;
                double ey = py - along * dy;
                int pixel = row * SIZE + column;
                squaredDistances[pixel] = Math.min(squaredDistances[pixel], ex * ex + ey * ey);
            }
        }
    }

    /// Writes the sheet as grey levels to `target`, starting at `offset`.
    ///
    /// @param ink the grey level of full ink
    /// @param grain the standard deviation of the noise on ink and paper, in grey levels
    void develop(double ink, double grain, CounterRandom random, byte[] target, int offset) {
        for (int pixel = 0; pixel < squaredDistances.length; pixel += 2) {
            long bits = random.nextLong();
            target[offset + pixel] = level(ink * coverage(pixel) + grain * noise((int) bits));
            target[offset + pixel + 1] = level(ink * coverage(pixel + 1) + grain * noise((int) (bits >>> 32)));
        }
    }

    /// The part of the pixel covered by ink, in [0, 1].
    private double coverage(int pixel) {
        double reach = penRadius + FADE;
        double squared = squaredDistances[pixel];
        return squared < reach * reach ? Math.min(1, reach - Math.sqrt(squared)) : 0;
    }

    private static byte level(double level) {
        return (byte) (int) (Math.min(255, Math.max(0, level)) + 0.5);
    }

    /// Nearly normal with mean 0 and variance 1: the sum of four random bytes, which avoids a logarithm and a
    /// cosine for every pixel.
    private static double noise(int bits) {
        int sum = (bits & 0xFF) + (bits >>> 8 & 0xFF) + (bits >>> 16 & 0xFF) + (bits >>> 24);
        return (sum - NOISE_MEAN) * NOISE_SCALE;
    }
}
