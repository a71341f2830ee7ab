package dev.cairn.train.data.digits;

import dev.cairn.engine.CounterRandom;
import dev.cairn.train.data.ImageSet;
import dev.cairn.train.data.LabelledImages;
import dev.cairn.train.data.Scaling;
import dev.cairn.train.data.Split;
import java.util.stream.IntStream;

/// The embedded data set `digits`: handwritten digits of 28 by 28 pixels, drawn from a seed.
///
/// The bytes depend only on the seed, and are the same on every machine and for any number of threads. Image i of a
/// split depends only on (seed, split, i): a larger split starts with the smaller one. Every ten images in a row,
/// counted from the first, contain each digit once, in random order.
public final class Digits {
    public static final int TRAIN_COUNT = 12_000;
    public static final int TEST_COUNT = 2_000;

    private static final int PIXELS = Raster.SIZE * Raster.SIZE;
    private static final int MAX_COUNT = Integer.MAX_VALUE / PIXELS;

    private Digits() {}

    public static ImageSet generate(long seed) {
        return generate(seed, TRAIN_COUNT, TEST_COUNT);
    }

    public static ImageSet generate(long seed, int trainCount, int testCount) {
        return new ImageSet(
                "digits", draw(Split.TRAIN, seed, trainCount), draw(Split.TEST, seed, testCount), Scaling.DIGITS);
    }

    private static LabelledImages draw(Split split, long seed, int count) {
        if (count < 0 || count > MAX_COUNT) {
            throw new IllegalArgumentException(
                    "count out of range: split=%s count=%d max=%d".formatted(split, count, MAX_COUNT));
        }
        var pixels = new byte[count * PIXELS];
        var labels = new byte[count];
        int blocks = Math.ceilDiv(count, Glyphs.DIGITS);
        // Each block writes to its own part of the arrays.
        IntStream.range(0, blocks).parallel().forEach(block -> drawBlock(split, seed, block, pixels, labels));
        return new LabelledImages(Raster.SIZE, Raster.SIZE, Glyphs.DIGITS, pixels, labels);
    }

    private static void drawBlock(Split split, long seed, int block, byte[] pixels, byte[] labels) {
        byte[] digits = shuffledDigits(split.ofBlock(seed, block));
        int first = block * digits.length;
        var raster = new Raster();
        for (int image = first; image < Math.min(first + digits.length, labels.length); image++) {
            byte digit = digits[image - first];
            labels[image] = digit;
            drawImage(digit, split.ofImage(seed, image), raster, pixels, image * PIXELS);
        }
    }

    private static byte[] shuffledDigits(CounterRandom random) {
        var digits = new byte[Glyphs.DIGITS];
        for (int i = 0; i < digits.length; i++) {
            int j = random.nextInt(i + 1);
            digits[i] = digits[j];
            digits[j] = (byte) i;
        }
        return digits;
    }

    private static void drawImage(int digit, CounterRandom random, Raster raster, byte[] pixels, int offset) {
        var handwriting = Glyphs.choose(digit, random);
        var hand = new Hand(random);
        raster.clear(hand.penRadius());
        for (Stroke stroke : handwriting) {
            stroke.writtenBy(hand, random).drawOn(raster);
        }
        raster.develop(hand.ink(), hand.grain(), random, pixels, offset);
    }
}
