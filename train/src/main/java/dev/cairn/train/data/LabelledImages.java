package dev.cairn.train.data;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

/// Grey images of one size, each with a class. One byte per pixel: 0 is empty and 255 is full ink. Immutable, so any
/// number of threads may read them.
public final class LabelledImages implements Images {
    private static final float LEVELS = 255;

    private final int height;
    private final int width;
    private final int classes;
    private final byte[] pixels;
    private final byte[] labels;

    /// Uses the arrays without a copy; the caller must not write to them afterwards.
    ///
    /// @param pixels the pixels, image by image, row by row, unsigned
    /// @param labels the class of each image, in [0, classes)
    public LabelledImages(int height, int width, int classes, byte[] pixels, byte[] labels) {
        if (height <= 0 || width <= 0 || classes <= 0 || classes > 256) {
            throw new IllegalArgumentException("images need a size and 1 to 256 classes: height=%d width=%d classes=%d"
                    .formatted(height, width, classes));
        }
        if (pixels.length != (long) labels.length * height * width) {
            throw new IllegalArgumentException("pixels do not match labels: pixels=%d labels=%d height=%d width=%d"
                    .formatted(pixels.length, labels.length, height, width));
        }
        for (int i = 0; i < labels.length; i++) {
            if (Byte.toUnsignedInt(labels[i]) >= classes) {
                throw new IllegalArgumentException("label out of range: image=%d label=%d classes=%d"
                        .formatted(i, Byte.toUnsignedInt(labels[i]), classes));
            }
        }
        this.height = height;
        this.width = width;
        this.classes = classes;
        this.pixels = pixels;
        this.labels = labels;
    }

    @Override
    public int count() {
        return labels.length;
    }

    @Override
    public int height() {
        return height;
    }

    @Override
    public int width() {
        return width;
    }

    @Override
    public int classes() {
        return classes;
    }

    @Override
    public int channels() {
        return 1;
    }

    @Override
    public int label(int image) {
        return Byte.toUnsignedInt(labels[image]);
    }

    /// The grey level in [0, 255].
    public int pixel(int image, int row, int column) {
        Objects.checkIndex(row, height);
        Objects.checkIndex(column, width);
        return Byte.toUnsignedInt(pixels[(image * height + row) * width + column]);
    }

    @Override
    public void copyImage(int image, float[] target, int offset) {
        Objects.checkIndex(image, count());
        int size = pixelsPerImage();
        Objects.checkFromIndexSize(offset, size, target.length);
        int start = image * size;
        for (int i = 0; i < size; i++) {
            target[offset + i] = Byte.toUnsignedInt(pixels[start + i]) / LEVELS;
        }
    }

    @Override
    public Inputs inputs(Scaling scaling) {
        return new PairwiseInputs(pixels, pixelsPerImage(), scaling);
    }

    /// The SHA-256 of all pixels followed by all labels, in lower-case hex: equal for equal data.
    public String sha256() {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(pixels);
            digest.update(labels);
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return "LabelledImages[count=%d, height=%d, width=%d, classes=%d]".formatted(count(), height, width, classes);
    }
}
