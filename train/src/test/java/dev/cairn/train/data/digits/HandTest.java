package dev.cairn.train.data.digits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.engine.CounterRandom;
import org.junit.jupiter.api.Test;

class HandTest {
    @Test
    void keepsGlyphsOnTheSheetAndUpright() {
        for (int image = 0; image < 1_000; image++) {
            var hand = new Hand(new CounterRandom(9, image));
            assertThat(hand.column(50, 50)).as("image %d", image).isCloseTo(13.5, within(3.0));
            assertThat(hand.row(50, 50)).as("image %d", image).isCloseTo(13.5, within(3.0));
            assertThat(hand.row(50, 0)).as("image %d", image).isBetween(0.0, 8.0);
            assertThat(hand.row(50, 100)).as("image %d", image).isBetween(19.0, 27.0);
            assertThat(hand.column(20, 50)).as("image %d", image).isBetween(2.0, 13.0);
            assertThat(hand.column(80, 50)).as("image %d", image).isBetween(14.0, 25.0);
        }
    }
}
