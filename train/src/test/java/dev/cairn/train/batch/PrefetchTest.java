package dev.cairn.train.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.Batch;
import dev.cairn.train.data.DataOrder;
import dev.cairn.train.data.DataOrder.Cursor;
import dev.cairn.train.data.GlobalOrder;
import dev.cairn.train.data.ImageSet;
import dev.cairn.train.data.digits.Digits;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class PrefetchTest {
    private static final ImageSet DATA = Digits.generate(1, 50, 10);
    private static final int BATCH = 16;

    @Test
    void givesTheBatchesOfTheOrderAcrossEpochs() {
        var order = new GlobalOrder(5, DATA.train().count());
        try (var prefetch =
                new Prefetch(new Examples(DATA), new GlobalOrder(5, DATA.train().count()), BATCH, Share.ALL)) {
            Cursor cursor = Cursor.START;
            for (int step = 0; step < 10; step++) {
                check(prefetch.at(cursor), order, cursor);
                assertThat(prefetch.after(cursor)).isEqualTo(order.after(cursor, BATCH));
                cursor = prefetch.after(cursor);
            }
            assertThat(cursor.epoch()).isEqualTo(2);
        }
    }

    @Test
    void jumpsToWhereverATrainingGoesOn() {
        var order = new GlobalOrder(5, DATA.train().count());
        try (var prefetch =
                new Prefetch(new Examples(DATA), new GlobalOrder(5, DATA.train().count()), BATCH, Share.ALL)) {
            for (Cursor cursor : new Cursor[] {
                new Cursor(3, 32), new Cursor(0, 16), new Cursor(0, 16), new Cursor(7, 48), Cursor.START
            }) {
                check(prefetch.at(cursor), order, cursor);
            }
        }
    }

    private static void check(Batch batch, DataOrder order, Cursor cursor) {
        assertThat(batch.size()).isEqualTo(order.sizeAt(cursor, BATCH));
        Batch.Labelled labelled = (Batch.Labelled) batch;
        float[] expected = new float[DATA.train().pixelsPerImage()];
        for (int i = 0; i < batch.size(); i++) {
            int example = order.exampleAt(cursor, i);
            assertThat(labelled.labels().getAtIndex(ValueLayout.JAVA_LONG, i))
                    .isEqualTo(DATA.train().label(example));
            DATA.train().copyImage(example, expected, 0);
            for (int pixel = 0; pixel < expected.length; pixel += 97) {
                float input = (expected[pixel] - DATA.scaling().mean())
                        / DATA.scaling().spread();
                assertThat(labelled.images().getAtIndex(ValueLayout.JAVA_FLOAT, (long) i * expected.length + pixel))
                        .isEqualTo(input);
            }
        }
    }
}
