package dev.cairn.train.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.Batch;
import dev.cairn.train.data.DataOrder.Cursor;
import dev.cairn.train.data.GlobalOrder;
import dev.cairn.train.data.ImageSet;
import dev.cairn.train.data.digits.Digits;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShareTest {
    private static final ImageSet DATA = Digits.generate(1, 50, 10);
    private static final int BATCH = 16;

    @Test
    void sharesDifferByOneAtMostAndMakeUpTheWhole() {
        for (int of = 1; of <= 9; of++) {
            for (int count = 0; count <= 40; count++) {
                int next = 0;
                for (int rank = 0; rank < of; rank++) {
                    var share = new Share(rank, of);
                    assertThat(share.begin(count)).isEqualTo(next);
                    assertThat(share.size(count)).isBetween(count / of, Math.ceilDiv(count, of));
                    next += share.size(count);
                }
                assertThat(next).isEqualTo(count);
            }
        }
    }

    @Test
    void wholeItemsAreDealtOutOnce() {
        for (int item = 0; item < 20; item++) {
            int owners = 0;
            for (int rank = 0; rank < 3; rank++) {
                owners += new Share(rank, 3).has(item) ? 1 : 0;
            }
            assertThat(owners).isEqualTo(1);
        }
    }

    /// The batches of 50 examples are of 16, 16, 16 and 2, so that some shares are empty.
    @Test
    void membersLoadTheirPartsOfEveryBatchAcrossEpochs() {
        try (var whole = batches(Share.ALL);
                var first = batches(new Share(0, 3));
                var second = batches(new Share(1, 3));
                var third = batches(new Share(2, 3))) {
            Cursor cursor = Cursor.START;
            for (int step = 0; step < 9; step++) {
                var labels = new ArrayList<Long>();
                for (Prefetch part : List.of(first, second, third)) {
                    labels.addAll(labels(part.at(cursor)));
                    assertThat(part.sizeAt(cursor)).isEqualTo(whole.sizeAt(cursor));
                    assertThat(part.after(cursor)).isEqualTo(whole.after(cursor));
                }
                assertThat(labels).isEqualTo(labels(whole.at(cursor)));
                cursor = whole.after(cursor);
            }
            assertThat(cursor.epoch()).isEqualTo(2);
        }
    }

    private static Prefetch batches(Share share) {
        return new Prefetch(new Examples(DATA), new GlobalOrder(5, DATA.train().count()), BATCH, share);
    }

    private static List<Long> labels(Batch batch) {
        var labels = new ArrayList<Long>();
        for (int i = 0; i < batch.size(); i++) {
            labels.add(((Batch.Labelled) batch).labels().getAtIndex(ValueLayout.JAVA_LONG, i));
        }
        return labels;
    }
}
