package dev.cairn.train.data.images;

import dev.cairn.engine.CounterRandom;
import dev.cairn.train.data.ImageSet;
import dev.cairn.train.data.Images;
import dev.cairn.train.data.Scaling;
import java.util.Objects;

/// Images of any shape, generated on demand: a pattern for each class, shifted and with noise.
///
/// An image is a function of (seed, split, number), the same on every machine. Only the pattern of each class, one
/// byte per pixel, and the labels are in memory. Every `classes` images in a row, counted from the first, contain
/// each class once.
public final class FakeImages implements Images {
    /// The upper half of a stream's number spells `FAK` and its purpose.
    private static final long PATTERN_STREAMS = 0x46414B00L << 32;

    private static final long BLOCK_STREAMS = 0x46414B01L << 32;
    private static final long IMAGE_STREAMS = 0x46414B03L << 32;
    private static final long NEXT_SPLIT = 1L << 32;

    private static final float LEVELS = 255;

    /// A pattern is a grid with this many random levels per side, with soft edges.
    private static final int GRID = 7;

    private static final int DARKEST = 64;
    private static final int CONTRAST = 128;
    /// A pattern is shifted by at most its size divided by this.
    private static final int MOVES = 14;

    private final Shape shape;
    private final long seed;
    private final long split;
    private final byte[][] patterns;
    private final byte[] labels;

    /// The size of the images and the number of classes.
    public record Shape(int channels, int height, int width, int classes) {
        /// The shape of MNIST.
        public static final Shape GREY_28 = new Shape(1, 28, 28, 10);

        /// The input shape of AlexNet.
        public static final Shape COLOUR_227 = new Shape(3, 227, 227, 10);

        public Shape {
            boolean sized = channels > 0 && height > 0 && width > 0;
            if (!sized || (long) channels * height * width > 1 << 24 || classes < 1 || classes > 256) {
                throw new IllegalArgumentException(
                        "images need a size up to 16 M values and 1 to 256 classes: channels=%d height=%d width=%d classes=%d"
                                .formatted(channels, height, width, classes));
            }
        }
    }

    private FakeImages(Shape shape, long seed, long split, int count, byte[][] patterns) {
        if (count < 0) {
            throw new IllegalArgumentException("count out of range: count=" + count);
        }
        this.shape = shape;
        this.seed = seed;
        this.split = split;
        this.patterns = patterns;
        this.labels = labels(count);
    }

    /// Generates a train and a test split.
    public static ImageSet generate(String name, Shape shape, long seed, int trainCount, int testCount) {
        var patterns = new byte[shape.classes()][];
        for (int label = 0; label < patterns.length; label++) {
            patterns[label] = pattern(shape, new CounterRandom(seed, PATTERN_STREAMS | label));
        }
        return new ImageSet(
                name,
                new FakeImages(shape, seed, 0, trainCount, patterns),
                new FakeImages(shape, seed, NEXT_SPLIT, testCount, patterns),
                Scaling.FAKE);
    }

    /// The levels between the points of a random grid, which wraps around.
    private static byte[] pattern(Shape shape, CounterRandom random) {
        var pattern = new byte[shape.channels() * shape.height() * shape.width()];
        var grid = new double[GRID * GRID];
        int pixel = 0;
        for (int channel = 0; channel < shape.channels(); channel++) {
            for (int i = 0; i < grid.length; i++) {
                grid[i] = DARKEST + CONTRAST * random.nextDouble();
            }
            for (int row = 0; row < shape.height(); row++) {
                double y = (double) row * GRID / shape.height();
                for (int column = 0; column < shape.width(); column++) {
                    double x = (double) column * GRID / shape.width();
                    double above = between(grid, (int) y, x);
                    double below = between(grid, ((int) y + 1) % GRID, x);
                    pattern[pixel++] = (byte) (int) (above + (below - above) * (y - (int) y));
                }
            }
        }
        return pattern;
    }

    private static double between(double[] grid, int row, double x) {
        double left = grid[row * GRID + (int) x];
        double right = grid[row * GRID + ((int) x + 1) % GRID];
        return left + (right - left) * (x - (int) x);
    }

    private byte[] labels(int count) {
        var all = new byte[count];
        int classes = shape.classes();
        var block = new byte[classes];
        for (int first = 0; first < count; first += classes) {
            var random = new CounterRandom(seed, BLOCK_STREAMS + split | first / classes);
            for (int i = 0; i < classes; i++) {
                int j = random.nextInt(i + 1);
                block[i] = block[j];
                block[j] = (byte) i;
            }
            System.arraycopy(block, 0, all, first, Math.min(classes, count - first));
        }
        return all;
    }

    @Override
    public int count() {
        return labels.length;
    }

    @Override
    public int channels() {
        return shape.channels();
    }

    @Override
    public int height() {
        return shape.height();
    }

    @Override
    public int width() {
        return shape.width();
    }

    @Override
    public int classes() {
        return shape.classes();
    }

    @Override
    public int label(int image) {
        return Byte.toUnsignedInt(labels[image]);
    }

    @Override
    public void copyImage(int image, float[] target, int offset) {
        Objects.checkFromIndexSize(offset, pixelsPerImage(), target.length);
        byte[] pattern = patterns[label(image)];
        var random = new CounterRandom(seed, IMAGE_STREAMS + split | image);
        int height = shape.height();
        int width = shape.width();
        int down = random.nextInt(height / MOVES + 1);
        int right = random.nextInt(width / MOVES + 1);
        int to = offset;
        for (int channel = 0; channel < shape.channels(); channel++) {
            for (int row = 0; row < height; row++) {
                int from = (channel * height + (row + down) % height) * width;
                copyRow(pattern, from + right, target, to, width - right, random);
                copyRow(pattern, from, target, to + width - right, right, random);
                to += width;
            }
        }
    }

    /// Adds noise, one random byte per pixel. Pattern and noise together stay within the range of levels.
    private static void copyRow(byte[] from, int start, float[] target, int to, int length, CounterRandom random) {
        long bits = 0;
        for (int i = 0; i < length; i++) {
            bits = (i & 7) == 0 ? random.nextLong() : bits >>> 8;
            int noise = ((int) bits & 0x7F) - 64;
            target[to + i] = (Byte.toUnsignedInt(from[start + i]) + noise) / LEVELS;
        }
    }

    @Override
    public String toString() {
        return "FakeImages[count=%d, %s]".formatted(count(), shape);
    }
}
