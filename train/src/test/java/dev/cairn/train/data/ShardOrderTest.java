package dev.cairn.train.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.train.batch.Share;
import dev.cairn.train.data.DataOrder.Cursor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardOrderTest {
    private static final int COUNT = 103;

    /// Examples, workers, size of the whole batch, size of the buffer.
    @ParameterizedTest
    @CsvSource({"103, 1, 10, 8", "103, 3, 10, 8", "103, 4, 64, 1", "103, 5, 7, 1000", "8, 8, 3, 2"})
    void eachWorkerGoesThroughItsOwnShardAgainAndAgain(int count, int workers, int batch, int buffer) {
        var order = new ShardOrder(7, count, workers, batch, buffer);
        Map<Integer, List<Integer>> seen = new HashMap<>();
        Cursor cursor = Cursor.START;
        for (int step = 0; step < 5 * count; step++) {
            for (int worker = 0; worker < workers; worker++) {
                var share = new Share(worker, workers);
                for (int i = 0; i < share.size(batch); i++) {
                    int example = order.exampleAt(cursor, share.begin(batch) + i);
                    seen.computeIfAbsent(worker, _ -> new ArrayList<>()).add(example);
                }
            }
            cursor = order.after(cursor, batch);
        }
        seen.forEach((worker, examples) -> {
            int own = Math.ceilDiv(count - worker, workers);
            for (int pass = 0; (pass + 1) * own <= examples.size(); pass++) {
                assertThat(examples.subList(pass * own, (pass + 1) * own))
                        .as("worker %d pass %d", worker, pass)
                        .doesNotHaveDuplicates()
                        .allMatch(example -> example % workers == worker);
            }
        });
    }

    @Test
    void goesOnAnywhereWithTheVeryNextBatch() {
        var order = new ShardOrder(3, COUNT, 3, 10, 20);
        var places = new ArrayList<Cursor>();
        List<List<Integer>> batches = new ArrayList<>();
        for (Cursor cursor = Cursor.START; cursor.epoch() < 3; cursor = order.after(cursor, 10)) {
            places.add(cursor);
            batches.add(batch(order, cursor));
        }
        for (int i = places.size() - 1; i >= 0; i--) {
            // A new object, as after a restart, knows only the cursor.
            assertThat(batch(new ShardOrder(3, COUNT, 3, 10, 20), places.get(i)))
                    .isEqualTo(batches.get(i));
        }
    }

    @Test
    void aWorkerAtItsOwnPaceSeesTheSameShard() {
        DataOrder one = ShardOrder.ofOne(3, COUNT, 1, 3, 20);
        var all = new ShardOrder(3, COUNT, 3, 9, 20);
        Cursor mine = Cursor.START;
        Cursor whole = Cursor.START;
        for (int step = 0; step < 60; step++) {
            for (int i = 0; i < 3; i++) {
                assertThat(one.exampleAt(mine, i)).isEqualTo(all.exampleAt(whole, 3 + i));
            }
            mine = one.after(mine, 3);
            whole = all.after(whole, 9);
        }
    }

    /// An example never comes earlier than it has entered the buffer.
    @Test
    void theBufferBoundsHowFarExamplesMove() {
        DataOrder order = ShardOrder.ofOne(11, COUNT, 0, 1, 10);
        int moved = 0;
        for (int i = 0; i < COUNT; i++) {
            int example = order.exampleAt(Cursor.START, i);
            assertThat(example).isLessThan(i + 10);
            moved += example == i ? 0 : 1;
        }
        assertThat(moved).isGreaterThan(COUNT / 2);
    }

    @Test
    void refusesMoreShardsThanExamples() {
        assertThatThrownBy(() -> new ShardOrder(1, 2, 3, 3, 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("fewer workers");
    }

    private static List<Integer> batch(DataOrder order, Cursor cursor) {
        var examples = new ArrayList<Integer>();
        for (int i = 0; i < order.sizeAt(cursor, 10); i++) {
            examples.add(order.exampleAt(cursor, i));
        }
        return examples;
    }
}
