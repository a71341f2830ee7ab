package dev.cairn.train.data.digits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cairn.engine.CounterRandom;
import org.junit.jupiter.api.Test;

class StrokeTest {
    private static final int SIZE = Raster.SIZE;

    @Test
    void semicolonLiftsThePen() {
        assertThat(Stroke.parse("20,6 80,6! 42,97; 32,52 74,48")).hasSize(2);
        byte[] lifted = draw("4,10 8,10; 18,10 22,10");
        assertThat(lifted[10 * SIZE + 13]).isZero();
        byte[] drawn = draw("4,10 8,10 18,10 22,10");
        assertThat(drawn[10 * SIZE + 13]).isNotZero();
    }

    @Test
    void strokeSwingsOutAtAPointButNotAtACorner() {
        byte[] smooth = draw("4,4 20,4 20,20");
        byte[] sharp = draw("4,4 20,4! 20,20");
        for (int row = 0; row < SIZE; row++) {
            assertThat(sharp[row * SIZE + 22]).isZero();
        }
        assertThat(smooth[8 * SIZE + 22]).isNotZero();
    }

    @Test
    void onePointIsNoStroke() {
        assertThatIllegalArgumentException().isThrownBy(() -> Stroke.parse("20,6 80,6; 42,97"));
    }

    /// Draws in raster coordinates with full ink and no grain.
    private static byte[] draw(String strokes) {
        var raster = new Raster();
        raster.clear(1);
        Stroke.parse(strokes).forEach(stroke -> stroke.drawOn(raster));
        var pixels = new byte[SIZE * SIZE];
        raster.develop(255, 0, new CounterRandom(0, 0), pixels, 0);
        return pixels;
    }
}
