package dev.cairn.codec.huffman;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.Frame;
import dev.cairn.codec.FrameReader;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SymbolCoderTest {
    private static byte[] encode(SymbolCoder coder, byte[] symbols, int count) {
        var frame = new Frame();
        frame.putInt(0x5EED);
        coder.encode(symbols, count, frame);
        frame.putByte(7);
        return frame.contents().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
    }

    private static byte[] decode(SymbolCoder coder, byte[] frame, int count) throws CorruptBlockException {
        var in = new FrameReader(frame, 4, frame.length);
        byte[] symbols = new byte[count];
        coder.decode(in, symbols, count);
        assertThat(in.remaining()).isOne();
        return symbols;
    }

    @ParameterizedTest
    @EnumSource
    void decodesWhatWasEncoded(Corpus corpus) throws CorruptBlockException {
        var writer = new SymbolCoder();
        var reader = new SymbolCoder();
        for (int count : Corpus.COUNTS) {
            for (long seed = 0; seed < 5; seed++) {
                byte[] symbols = corpus.bytes(count, seed);
                byte[] frame = encode(writer, symbols, count);
                assertThat(decode(reader, frame, count))
                        .as("count=%d seed=%d", count, seed)
                        .isEqualTo(symbols);
                assertThat(frame.length).as("count=%d", count).isLessThanOrEqualTo(count + 4 + 1 + 4);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void decodesWithTablesInASetReadBack(Corpus corpus) throws CorruptBlockException {
        var set = TableSet.empty();
        var writer = new SymbolCoder(set);
        byte[][] frames = new byte[20][];
        for (int i = 0; i < frames.length; i++) {
            frames[i] = encode(writer, corpus.bytes(5000 + i, i), 5000 + i);
        }
        byte[] bytes = set.toBytes();
        var readSet = TableSet.parse(bytes, 0, bytes.length);
        for (int i = frames.length - 1; i >= 0; i--) {
            byte[] symbols = decode(new SymbolCoder(readSet), frames[i], 5000 + i);
            assertThat(symbols).as("block=%d", i).isEqualTo(corpus.bytes(5000 + i, i));
        }
    }

    @Test
    void nothingIsCodedAsNothing() throws CorruptBlockException {
        byte[] frame = encode(new SymbolCoder(), new byte[0], 0);
        assertThat(decode(new SymbolCoder(), frame, 0)).isEmpty();
        assertThat(frame).hasSize(4 + 2 + 1);
    }

    @Test
    void tablesAreReusedWhileTheDistributionStays() {
        var set = TableSet.empty();
        var writer = new SymbolCoder(set);
        for (int i = 0; i < 50; i++) {
            encode(writer, Corpus.ID_PAIRS.bytes(32768, i), 32768);
        }
        assertThat(set.size()).isLessThanOrEqualTo(4);
    }

    @Test
    void tablesOfThePreviousCheckpointAreCarriedOnlyIfUsed() {
        var set = TableSet.empty();
        encode(new SymbolCoder(set), Corpus.ID_PAIRS.bytes(32768, 1), 32768);
        var writer = new SymbolCoder(set);
        encode(writer, Corpus.EXPONENTS.bytes(32768, 1), 32768);
        var before = List.of(set.candidates());
        set.startAnew();
        encode(writer, Corpus.EXPONENTS.bytes(32768, 2), 32768);
        assertThat(set.size()).isOne();
        assertThat(before).contains(set.get(0));
    }

    @Test
    void sparseSymbolsTakeFarLessThanABitEach() {
        byte[] symbols = Corpus.SPARSE_PAIRS.bytes(32768, 1);
        assertThat(encode(new SymbolCoder(), symbols, symbols.length).length).isLessThan(32768 / 8 * 2 / 3);
    }

    @Test
    void takesFewerBytesThanTheEntropyOfBytesPlusTwoPercentAndTables() {
        byte[] symbols = Corpus.ID_PAIRS.bytes(32768, 1);
        var histogram = new Histogram();
        histogram.countAll(symbols, 0, symbols.length);
        int ideal = (int) (histogram.entropyBits() / 8);
        assertThat(encode(new SymbolCoder(), symbols, symbols.length).length).isLessThan(ideal * 102 / 100 + 200);
    }

    @Test
    void sampleThatMisleadsIsNoticed() throws CorruptBlockException {
        // The sampled positions hold only threes and fours.
        byte[] symbols = Corpus.EXPONENTS.bytes(65536, 1);
        int every = TableChooser.sampleEvery(symbols.length);
        for (int i = 0; i < symbols.length; i++) {
            symbols[i] = i / 8 % every == 0 ? (byte) (3 + i % 2) : symbols[i];
        }
        byte[] frame = encode(new SymbolCoder(), symbols, symbols.length);
        assertThat(decode(new SymbolCoder(), frame, symbols.length)).isEqualTo(symbols);
        assertThat(frame.length).isLessThan(65536 / 2);
    }

    @Test
    void unknownTableIsRefused() {
        byte[] symbols = Corpus.ID_PAIRS.bytes(4099, 1);
        byte[] frame = encode(new SymbolCoder(TableSet.empty()), symbols, symbols.length);
        assertThatThrownBy(() -> decode(new SymbolCoder(), frame, symbols.length))
                .isInstanceOf(CorruptBlockException.class)
                .hasMessageContaining("table index=0");
    }

    @ParameterizedTest
    @EnumSource
    void damageGivesATypedErrorOrAsManySymbols(Corpus corpus) {
        for (int count : new int[] {9, 401, 1023}) {
            byte[] frame = encode(new SymbolCoder(), corpus.bytes(count, 2), count);
            for (int length = 4; length < frame.length; length++) {
                survives(Arrays.copyOf(frame, length), count);
            }
            for (int bit = 32; bit < 8 * frame.length; bit++) {
                byte[] damaged = frame.clone();
                damaged[bit / 8] ^= (byte) (1 << (bit % 8));
                survives(damaged, count);
            }
            survives(frame, count + 1);
            survives(frame, count - 1);
        }
    }

    @Test
    void survivesGarbage() {
        var random = new SplittableRandom(4);
        for (int i = 0; i < 20_000; i++) {
            byte[] garbage = new byte[4 + random.nextInt(100)];
            random.nextBytes(garbage);
            if (garbage.length > 6) {
                garbage[4] = (byte) (garbage.length - 5);
                garbage[5] &= 3;
            }
            survives(garbage, random.nextInt(300));
        }
    }

    private static void survives(byte[] frame, int count) {
        try {
            var in = new FrameReader(frame, 4, frame.length);
            byte[] symbols = new byte[count];
            new SymbolCoder().decode(in, symbols, count);
        } catch (CorruptBlockException expected) {
            assertThat(expected).hasMessageContaining("offset");
        }
    }
}
