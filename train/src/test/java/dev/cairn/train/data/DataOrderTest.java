package dev.cairn.train.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.train.data.DataOrder.Cursor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DataOrderTest {
    @ParameterizedTest
    @CsvSource({"1, 1", "1, 5", "10, 3", "10, 10", "10, 64", "1000, 64"})
    void everyExampleComesOnceAnEpoch(int count, int batch) {
        List<Integer> seen = walk(new GlobalOrder(7, count), Cursor.START, batch, 3);
        for (int epoch = 0; epoch < 3; epoch++) {
            assertThat(new HashSet<>(seen.subList(epoch * count, (epoch + 1) * count)))
                    .hasSize(count);
        }
    }

    @Test
    void goesOnAnywhereWithTheVeryNextBatch() {
        List<Integer> whole = walk(new GlobalOrder(3, 100), Cursor.START, 7, 2);
        var order = new GlobalOrder(3, 100);
        Cursor cursor = Cursor.START;
        int seen = 0;
        while (cursor.epoch() < 2) {
            // A new object, as after a restart, knows only the cursor.
            assertThat(walk(new GlobalOrder(3, 100), cursor, 7, 2)).isEqualTo(whole.subList(seen, whole.size()));
            seen += order.sizeAt(cursor, 7);
            cursor = order.after(cursor, 7);
        }
    }

    @Test
    void epochsAndSeedsDiffer() {
        List<Integer> seen = walk(new GlobalOrder(1, 500), Cursor.START, 50, 2);
        assertThat(seen.subList(0, 500)).isNotEqualTo(seen.subList(500, 1000));
        assertThat(walk(new GlobalOrder(2, 500), Cursor.START, 50, 2)).isNotEqualTo(seen);
    }

    @Test
    void refusesPlacesThatAreNone() {
        assertThatThrownBy(() -> new Cursor(-1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new GlobalOrder(1, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    private static List<Integer> walk(DataOrder order, Cursor from, int batch, int epochs) {
        var seen = new ArrayList<Integer>();
        for (Cursor cursor = from; cursor.epoch() < epochs; cursor = order.after(cursor, batch)) {
            for (int i = 0; i < order.sizeAt(cursor, batch); i++) {
                seen.add(order.exampleAt(cursor, i));
            }
        }
        return seen;
    }
}
