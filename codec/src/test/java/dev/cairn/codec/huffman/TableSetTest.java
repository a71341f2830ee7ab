package dev.cairn.codec.huffman;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.codec.CorruptBlockException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TableSetTest {
    private static TableSet three() {
        var set = TableSet.empty();
        set.use(CodeTable.ofSingle(3));
        for (Corpus corpus : new Corpus[] {Corpus.ID_PAIRS, Corpus.TWO_SYMBOLS}) {
            var histogram = new Histogram();
            histogram.countAll(corpus.bytes(3000, 1), 0, 3000);
            set.use(CodeTable.of(histogram.counts()));
        }
        return set;
    }

    @Test
    void tablesKeepTheirIndices() throws CorruptBlockException {
        var set = three();
        assertThat(set.use(CodeTable.ofSingle(3))).isZero();
        assertThat(set.use(set.get(2))).isEqualTo(2);
        byte[] bytes = set.toBytes();
        var parsed = TableSet.parse(bytes, 0, bytes.length);
        assertThat(parsed.size()).isEqualTo(3);
        assertThat(parsed.candidates()).containsExactly(set.candidates());
    }

    @Test
    void fullSetTakesNoMore() {
        var set = TableSet.empty();
        for (int i = 0; i < TableSet.MAX_TABLES; i++) {
            assertThat(set.use(CodeTable.ofSingle(i))).isEqualTo(i);
        }
        assertThat(set.use(CodeTable.ofSingle(200))).isEqualTo(-1);
        assertThat(set.use(CodeTable.ofSingle(5))).isEqualTo(5);
    }

    @Test
    void damageIsRefusedOrGivesTheSameBytesAgain() {
        byte[] bytes = three().toBytes();
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> TableSet.parse(cut, 0, cut.length)).isInstanceOf(CorruptBlockException.class);
        }
        for (int bit = 0; bit < 8 * bytes.length; bit++) {
            byte[] damaged = bytes.clone();
            damaged[bit / 8] ^= (byte) (1 << (bit % 8));
            try {
                assertThat(TableSet.parse(damaged, 0, damaged.length).toBytes()).isEqualTo(damaged);
            } catch (CorruptBlockException expected) {
                assertThat(expected).hasMessageContaining("offset");
            }
        }
    }

    @Test
    void refusesATableThatOccursTwice() {
        byte[] twice = {2, 2, 0, 9, 2, 0, 9};
        assertThatThrownBy(() -> TableSet.parse(twice, 0, twice.length)).hasMessageContaining("twice");
    }
}
