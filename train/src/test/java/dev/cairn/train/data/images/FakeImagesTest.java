package dev.cairn.train.data.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.train.data.Images;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FakeImagesTest {
    private static final FakeImages.Shape SMALL = FakeImages.Shape.GREY_28;

    /// A different number here means a different data set: earlier and later runs can no longer be compared.
    @Test
    void imagesHaveThePinnedValues() {
        var set = FakeImages.generate("fake", SMALL, 1, 30, 30);
        assertThat(Arrays.hashCode(image(set.train(), 7))).isEqualTo(-408772086);
        assertThat(Arrays.hashCode(image(set.test(), 7))).isEqualTo(-991338945);
    }

    @Test
    void anImageDependsOnSeedSplitAndNumberAlone() {
        var set = FakeImages.generate("fake", SMALL, 1, 30, 30);
        var larger = FakeImages.generate("fake", SMALL, 1, 50, 10);
        var other = FakeImages.generate("fake", SMALL, 2, 30, 30);
        assertThat(image(larger.train(), 29)).isEqualTo(image(set.train(), 29));
        assertThat(larger.train().label(29)).isEqualTo(set.train().label(29));
        assertThat(image(set.train(), 3)).isNotEqualTo(image(set.test(), 3));
        assertThat(image(set.train(), 3)).isNotEqualTo(image(other.train(), 3));
        assertThat(image(set.train(), 3)).isNotEqualTo(image(set.train(), 4));
    }

    @Test
    void everyTenImagesHoldEachClassOnce() {
        Images train = FakeImages.generate("fake", SMALL, 1, 205, 5).train();
        for (int first = 0; first < 200; first += 10) {
            assertThat(IntStream.range(first, first + 10).map(train::label))
                    .containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        }
        assertThat(train.count()).isEqualTo(205);
    }

    @ParameterizedTest
    @CsvSource({"1, 28, 28, 300", "3, 227, 227, 60", "2, 5, 9, 300"})
    void scalingBringsMeanAndVarianceNearZeroAndOne(int channels, int height, int width, int count) {
        var set = FakeImages.generate("fake", new FakeImages.Shape(channels, height, width, 10), 1, count, 1);
        double sum = 0;
        double squares = 0;
        long values = 0;
        for (int i = 0; i < count; i++) {
            for (float value : image(set.train(), i)) {
                assertThat(value >= 0 && value <= 1).isTrue();
                double scaled = (value - set.scaling().mean()) / set.scaling().spread();
                sum += scaled;
                squares += scaled * scaled;
                values++;
            }
        }
        assertThat(sum / values).isCloseTo(0, within(0.2));
        assertThat(squares / values).isCloseTo(1, within(0.15));
    }

    /// The simplest learner: the nearest of the mean images of the classes.
    @Test
    void theClassesCanBeLearned() {
        var set = FakeImages.generate("fake", SMALL, 1, 500, 200);
        var means = new float[10][784];
        for (int i = 0; i < 500; i++) {
            float[] image = image(set.train(), i);
            for (int pixel = 0; pixel < 784; pixel++) {
                means[set.train().label(i)][pixel] += image[pixel] / 50;
            }
        }
        int right = 0;
        for (int i = 0; i < 200; i++) {
            float[] image = image(set.test(), i);
            int nearest = IntStream.range(0, 10)
                    .boxed()
                    .min((a, b) -> Double.compare(distance(means[a], image), distance(means[b], image)))
                    .orElseThrow();
            right += nearest == set.test().label(i) ? 1 : 0;
        }
        assertThat(right).isGreaterThan(190);
    }

    @Test
    void refusesShapesThatAreNone() {
        assertThatIllegalArgumentException().isThrownBy(() -> new FakeImages.Shape(0, 28, 28, 10));
        assertThatIllegalArgumentException().isThrownBy(() -> new FakeImages.Shape(1, 1 << 20, 1 << 20, 10));
        assertThatIllegalArgumentException().isThrownBy(() -> FakeImages.generate("fake", SMALL, 1, -1, 1));
    }

    private static float[] image(Images images, int image) {
        var values = new float[images.pixelsPerImage() + 1];
        values[0] = -1;
        images.copyImage(image, values, 1);
        assertThat(values[0]).isEqualTo(-1);
        return Arrays.copyOfRange(values, 1, values.length);
    }

    private static double distance(float[] a, float[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += (a[i] - b[i]) * (a[i] - b[i]);
        }
        return sum;
    }
}
