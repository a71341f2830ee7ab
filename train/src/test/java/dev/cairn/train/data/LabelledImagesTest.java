package dev.cairn.train.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class LabelledImagesTest {
    private static final LabelledImages TWO =
            new LabelledImages(1, 3, 200, new byte[] {0, 51, -1, 1, 2, 3}, new byte[] {7, (byte) 199});

    @Test
    void bytesAreUnsigned() {
        assertThat(TWO.label(1)).isEqualTo(199);
        assertThat(TWO.pixel(0, 0, 2)).isEqualTo(255);
        assertThat(TWO.pixel(1, 0, 0)).isEqualTo(1);
    }

    @Test
    void copiesAnImageScaledToOneAtTheOffset() {
        var target = new float[5];
        TWO.copyImage(0, target, 1);
        assertThat(target).containsExactly(0f, 0f, 0.2f, 1f, 0f);
    }

    /// All levels, at even and odd positions, of images with an odd number of pixels, in any order.
    @Test
    void inputsAreTheLevelsScaledBitForBit() {
        var pixels = new byte[257 * 3];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = (byte) i;
        }
        var images = new LabelledImages(1, 257, 1, pixels, new byte[3]);
        int[] order = {2, 0, 1, 2};
        MemorySegment target = MemorySegment.ofArray(new float[order.length * 257]);
        Images.Inputs inputs = images.inputs(Scaling.MNIST);
        inputs.copy(1, i -> 1, target); // fewer than the next time
        inputs.copy(order.length, i -> order[i], target);
        for (int i = 0; i < order.length * 257; i++) {
            int level = Byte.toUnsignedInt(pixels[order[i / 257] * 257 + i % 257]);
            assertThat(target.getAtIndex(ValueLayout.JAVA_FLOAT, i)).isEqualTo(Scaling.MNIST.of(level / 255f));
        }
    }

    @Test
    void refusesToCopyBeyondEitherArray() {
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> TWO.copyImage(2, new float[3], 0));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> TWO.copyImage(0, new float[3], 1));
    }

    @Test
    void refusesColumnsOfTheNextRow() {
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> TWO.pixel(0, 0, 3));
    }

    @Test
    void refusesArraysThatDoNotFit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LabelledImages(2, 2, 10, new byte[7], new byte[2]))
                .withMessageContaining("pixels=7 labels=2 height=2 width=2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LabelledImages(1, 1, 10, new byte[2], new byte[] {9, 10}))
                .withMessageContaining("image=1 label=10 classes=10");
        assertThatIllegalArgumentException().isThrownBy(() -> new LabelledImages(0, 1, 10, new byte[0], new byte[0]));
    }

    /// Of `abc`, from FIPS 180-4.
    @Test
    void hashIsOfPixelsThenLabels() {
        var images = new LabelledImages(1, 2, 256, new byte[] {'a', 'b'}, new byte[] {'c'});
        assertThat(images.sha256()).isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    @Test
    void splitsOfADatasetHaveOneShape() {
        var other = new LabelledImages(1, 3, 10, new byte[0], new byte[0]);
        assertThat(new ImageSet("two", TWO, TWO, Scaling.NONE).train()).isSameAs(TWO);
        assertThatIllegalArgumentException().isThrownBy(() -> new ImageSet("two", TWO, other, Scaling.NONE));
    }
}
