package dev.cairn.train.data.digits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cairn.train.data.ImageSet;
import dev.cairn.train.data.Images;
import dev.cairn.train.data.LabelledImages;
import dev.cairn.train.data.Split;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DigitsTest {
    private static final ImageSet SMALL = Digits.generate(1, 200, 50);

    /// A different hash here means a different data set: earlier and later runs can no longer be compared.
    @Test
    void smallSetHasThePinnedBytes() {
        assertThat(sha256(SMALL.train())).isEqualTo("e15524a701d983c2f4b8639708d476c0712730089bb7608b0c6d391f46e5fc6c");
        assertThat(sha256(SMALL.test())).isEqualTo("f6bbc3eee044384fb18cd3b5006db892f7bfa2813dbf830bbafd1bb1c404540a");
    }

    @Test
    void defaultSetHasThePinnedBytes() {
        var full = Digits.generate(1);
        assertThat(full.train().count()).isEqualTo(12_000);
        assertThat(full.test().count()).isEqualTo(2_000);
        assertThat(sha256(full.train())).isEqualTo("ad0362b5156edf595cdb9cc9eec15edc413d3333057a044c1376ec68a7a17ee1");
        assertThat(sha256(full.test())).isEqualTo("4ca74aee1c16cdf26191f0bc8d9a3af78afd76c3f87c6992849d525354342ff8");
    }

    @Test
    void imagesAre28By28InTenClasses() {
        assertThat(SMALL.train()).hasToString("LabelledImages[count=200, height=28, width=28, classes=10]");
        assertThat(SMALL.test()).hasToString("LabelledImages[count=50, height=28, width=28, classes=10]");
    }

    @Test
    void anotherSeedGivesOtherImagesAndLabels() {
        var other = Digits.generate(2, 200, 50);
        assertThat(images(other.train())).doesNotContainAnyElementsOf(images(SMALL.train()));
        assertThat(images(other.test())).doesNotContainAnyElementsOf(images(SMALL.test()));
        assertThat(labels(other.train())).isNotEqualTo(labels(SMALL.train()));
    }

    @Test
    void noImageIsDrawnTwice() {
        var all = new HashSet<>(images(SMALL.train()));
        all.addAll(images(SMALL.test()));
        assertThat(all).hasSize(250);
        assertThat(labels(SMALL.train()).subList(0, 50)).isNotEqualTo(labels(SMALL.test()));
    }

    @Test
    void largerSplitBeginsWithTheSmallerOne() {
        var tiny = Digits.generate(1, 13, 7);
        assertThat(images(tiny.train())).isEqualTo(images(SMALL.train()).subList(0, 13));
        assertThat(labels(tiny.train())).isEqualTo(labels(SMALL.train()).subList(0, 13));
        assertThat(images(tiny.test())).isEqualTo(images(SMALL.test()).subList(0, 7));
        assertThat(labels(tiny.test())).isEqualTo(labels(SMALL.test()).subList(0, 7));
    }

    @Test
    void bytesDoNotDependOnTheNumberOfThreads() {
        for (int threads : new int[] {1, 2, 7}) {
            try (var pool = new ForkJoinPool(threads)) {
                var drawn = pool.submit(() -> Digits.generate(1, 200, 50)).join();
                assertThat(sha256(drawn.train())).isEqualTo(sha256(SMALL.train()));
                assertThat(sha256(drawn.test())).isEqualTo(sha256(SMALL.test()));
            }
        }
    }

    @Test
    void everyTenImagesHoldEachDigitOnceInChangingOrder() {
        var labels = labels(SMALL.train());
        var orders = new HashSet<List<Integer>>();
        for (int first = 0; first < labels.size(); first += 10) {
            var ten = labels.subList(first, first + 10);
            assertThat(ten).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
            orders.add(ten);
        }
        assertThat(orders).hasSize(20);
    }

    /// The choice of the handwriting is the first draw from an image's stream.
    @Test
    void everyHandwritingIsUsed() {
        Set<List<Stroke>> used = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < SMALL.train().count(); i++) {
            used.add(Glyphs.choose(SMALL.train().label(i), Split.TRAIN.ofImage(1, i)));
        }
        for (int digit = 0; digit < 10; digit++) {
            assertThat(used).containsAll(Glyphs.handwritings(digit));
        }
    }

    @Test
    void everyImageIsMostlyPaperWithSomeInkAwayFromTheEdges() {
        for (int i = 0; i < SMALL.train().count(); i++) {
            int ink = 0;
            int inkAtEdges = 0;
            for (int row = 0; row < 28; row++) {
                for (int column = 0; column < 28; column++) {
                    if (((LabelledImages) SMALL.train()).pixel(i, row, column) > 128) {
                        ink++;
                        inkAtEdges += row == 0 || row == 27 || column == 0 || column == 27 ? 1 : 0;
                    }
                }
            }
            assertThat(ink).as("ink of image %d", i).isBetween(28, 280);
            assertThat(inkAtEdges).as("ink at the edges of image %d", i).isLessThanOrEqualTo(4);
        }
    }

    @Test
    void emptySplitsAreAllowedAndNegativeOnesAreNot() {
        assertThat(Digits.generate(1, 0, 0).test().count()).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Digits.generate(1, 10, -1))
                .withMessageContaining("split=TEST count=-1");
    }

    private static List<ByteBuffer> images(Images images) {
        var split = (LabelledImages) images;
        return IntStream.range(0, split.count())
                .mapToObj(i -> {
                    var bytes = ByteBuffer.allocate(split.pixelsPerImage());
                    for (int pixel = 0; pixel < bytes.capacity(); pixel++) {
                        bytes.put(pixel, (byte) split.pixel(i, pixel / split.width(), pixel % split.width()));
                    }
                    return bytes;
                })
                .toList();
    }

    private static List<Integer> labels(Images split) {
        return IntStream.range(0, split.count()).mapToObj(split::label).toList();
    }

    private static String sha256(Images split) {
        return ((LabelledImages) split).sha256();
    }
}
