package dev.cairn.train.data.digits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.engine.CounterRandom;
import org.junit.jupiter.api.Test;

class RasterTest {
    private static final int SIZE = Raster.SIZE;

    private final Raster raster = new Raster();

    @Test
    void inkFadesWithTheDistanceFromTheLine() {
        raster.clear(1);
        raster.line(5, 10.25, 20, 10.25);
        byte[] pixels = develop(200, 0);
        assertThat(pixels[8 * SIZE + 12]).isZero();
        assertThat(grey(pixels, 9, 12)).isEqualTo(50); // 1.25 away: a quarter of a pixel is under ink
        assertThat(grey(pixels, 10, 12)).isEqualTo(200);
        assertThat(grey(pixels, 11, 12)).isEqualTo(150);
        assertThat(grey(pixels, 12, 12)).isZero();
    }

    @Test
    void aLineOfNoLengthIsADot() {
        raster.clear(1);
        raster.line(14, 14, 14, 14);
        byte[] pixels = develop(255, 0);
        assertThat(grey(pixels, 14, 14)).isEqualTo(255);
        assertThat(grey(pixels, 13, 14)).isEqualTo(128);
        assertThat(grey(pixels, 12, 14)).isZero();
    }

    @Test
    void linesMayRunOutOfTheSheet() {
        raster.clear(2);
        assertThatCode(() -> {
                    raster.line(-50, -50, 80, 80);
                    raster.line(-9, -9, -5, -5);
                    raster.line(40, 40, 45, 60);
                })
                .doesNotThrowAnyException();
        assertThat(grey(develop(255, 0), 14, 14)).isEqualTo(255);
    }

    @Test
    void clearLeavesNoTrace() {
        raster.clear(2);
        raster.line(0, 0, 27, 27);
        raster.clear(2);
        assertThat(develop(255, 0)).containsOnly(0);
    }

    @Test
    void grainHasTheDeviationAskedFor() {
        raster.clear(100);
        raster.line(0, 0, 27, 27);
        byte[] pixels = develop(128, 20);
        double sum = 0;
        double squares = 0;
        for (byte pixel : pixels) {
            double noise = Byte.toUnsignedInt(pixel) - 128;
            sum += noise;
            squares += noise * noise;
        }
        assertThat(sum / pixels.length).isCloseTo(0, within(2.5));
        assertThat(Math.sqrt(squares / pixels.length)).isCloseTo(20, within(2.0));
    }

    private byte[] develop(double ink, double grain) {
        var pixels = new byte[SIZE * SIZE];
        raster.develop(ink, grain, new CounterRandom(4, 0), pixels, 0);
        return pixels;
    }

    private static int grey(byte[] pixels, int row, int column) {
        return Byte.toUnsignedInt(pixels[row * SIZE + column]);
    }
}
