package dev.cairn.codec.huffman;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.CorruptBlockException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HuffmanTest {
    private static final int FROM = 3;
    private static final int AT = 5;

    private final HuffmanEncoder encoder = new HuffmanEncoder();
    private final HuffmanDecoder decoder = new HuffmanDecoder();

    private static CodeTable tableOf(byte[] symbols) {
        var histogram = new Histogram();
        histogram.countAll(symbols, 0, symbols.length);
        return CodeTable.of(histogram.counts());
    }

    private byte[] encode(CodeTable table, byte[] symbols) {
        byte[] padded = new byte[FROM + symbols.length];
        System.arraycopy(symbols, 0, padded, FROM, symbols.length);
        byte[] out = new byte[AT + HuffmanEncoder.maxEncodedBytes(symbols.length)];
        int end = encoder.encode(table, padded, FROM, symbols.length, symbols.length, out, AT);
        return end == HuffmanEncoder.UNFIT ? new byte[] {-1} : Arrays.copyOfRange(out, AT, end);
    }

    private byte[] decode(CodeTable table, byte[] encoded, int count) throws CorruptBlockException {
        byte[] symbols = new byte[AT + count + 3];
        Arrays.fill(symbols, (byte) 99);
        decoder.decode(table, encoded, 0, encoded.length, symbols, AT, count);
        for (int i : new int[] {0, 1, 2, 3, 4, AT + count, AT + count + 1, AT + count + 2}) {
            assertThat(symbols[i]).as("byte outside the range, index=%d", i).isEqualTo((byte) 99);
        }
        return Arrays.copyOfRange(symbols, AT, AT + count);
    }

    @ParameterizedTest
    @EnumSource
    void decodesWhatWasEncoded(Corpus corpus) throws CorruptBlockException {
        for (int count : Corpus.COUNTS) {
            for (long seed = 0; seed < 6; seed++) {
                byte[] symbols = corpus.bytes(count, seed);
                var table = tableOf(symbols);
                byte[] encoded = encode(table, symbols);
                assertThat(decode(table, encoded, count))
                        .as("count=%d seed=%d", count, seed)
                        .isEqualTo(symbols);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void decodesAgainOnceTheTableOfPairsIsThere(Corpus corpus) throws CorruptBlockException {
        byte[] symbols = corpus.bytes(20_001, 1);
        var table = tableOf(symbols);
        byte[] first = encode(table, symbols);
        for (int i = 0; i < 3; i++) {
            assertThat(encode(table, symbols)).isEqualTo(first);
        }
        assertThat(decode(table, first, symbols.length)).isEqualTo(symbols);
    }

    @Test
    void takesAsManyBitsAsTheTableSays() {
        byte[] symbols = Corpus.ID_PAIRS.bytes(32768, 1);
        var table = tableOf(symbols);
        var histogram = new Histogram();
        histogram.countAll(symbols, 0, symbols.length);
        long bytes = table.costBits(histogram.counts()) / 8;
        assertThat(encode(table, symbols).length).isBetween((int) bytes, (int) bytes + 12);
    }

    @Test
    void singleSymbolTakesNoBytes() throws CorruptBlockException {
        byte[] symbols = new byte[1000];
        Arrays.fill(symbols, (byte) 42);
        byte[] encoded = encode(CodeTable.ofSingle(42), symbols);
        assertThat(encoded).isEmpty();
        assertThat(decode(CodeTable.ofSingle(42), encoded, 1000)).isEqualTo(symbols);
    }

    @Test
    void symbolsWithoutACodeArePatched() throws CorruptBlockException {
        for (long seed = 0; seed < 50; seed++) {
            var random = new SplittableRandom(seed);
            for (int repeat = 0; repeat < 3; repeat++) {
                byte[] symbols = Corpus.ID_PAIRS.bytes(8000 + random.nextInt(9000), 1);
                var table = tableOf(symbols);
                for (int i = 0; i < 20; i++) {
                    symbols[random.nextInt(symbols.length)] = (byte) 0x88;
                }
                symbols[0] = (byte) 0x88;
                symbols[symbols.length - 1] = (byte) 0x88;
                byte[] encoded = encode(table, symbols);
                assertThat(decode(table, encoded, symbols.length))
                        .as("seed=%d", seed)
                        .isEqualTo(symbols);
            }
        }
    }

    @Test
    void singleSymbolTableCodesTheRareExceptions() throws CorruptBlockException {
        byte[] symbols = new byte[5000];
        symbols[17] = 1;
        symbols[4999] = -1;
        byte[] encoded = encode(CodeTable.ofSingle(0), symbols);
        assertThat(encoded).hasSizeLessThan(12);
        assertThat(decode(CodeTable.ofSingle(0), encoded, 5000)).isEqualTo(symbols);
    }

    @Test
    void tableThatLacksTooManySymbolsIsUnfit() {
        assertThat(encode(CodeTable.ofSingle(0), Corpus.NOISE.bytes(1000, 1))).isEqualTo(new byte[] {-1});
        assertThat(encode(tableOf(new byte[] {1, 2, 3}), Corpus.NOISE.bytes(1000, 1)))
                .isEqualTo(new byte[] {-1});
    }

    @ParameterizedTest
    @EnumSource
    void damageGivesATypedErrorOrAsManySymbols(Corpus corpus) {
        for (int count : new int[] {9, 401, 1023}) {
            byte[] symbols = corpus.bytes(count, 5);
            var table = tableOf(symbols);
            if (count == 401) {
                symbols[100] = (byte) 0xEE;
            }
            byte[] encoded = encode(table, symbols);
            for (int length = 0; length < encoded.length; length++) {
                survives(table, Arrays.copyOf(encoded, length), count);
            }
            survives(table, Arrays.copyOf(encoded, encoded.length + 1), count);
            for (int bit = 0; bit < 8 * encoded.length; bit++) {
                byte[] damaged = encoded.clone();
                damaged[bit / 8] ^= (byte) (1 << (bit % 8));
                survives(table, damaged, count);
            }
            survives(table, encoded, count + 1);
            survives(table, encoded, count - 1);
        }
    }

    @Test
    void survivesGarbage() {
        var random = new SplittableRandom(9);
        for (Corpus corpus : Corpus.values()) {
            for (int i = 0; i < 400; i++) {
                var table = tableOf(corpus.bytes(500, i));
                byte[] garbage = new byte[random.nextInt(600)];
                random.nextBytes(garbage);
                if (garbage.length > 0) {
                    garbage[0] &= 3;
                }
                survives(table, garbage, random.nextInt(2000));
            }
        }
    }

    private void survives(CodeTable table, byte[] encoded, int count) {
        try {
            assertThat(decode(table, encoded, count)).hasSize(count);
        } catch (CorruptBlockException expected) {
            assertThat(expected).hasMessageContaining("offset");
        }
    }
}
