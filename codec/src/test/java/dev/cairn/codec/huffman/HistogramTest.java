package dev.cairn.codec.huffman;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HistogramTest {
    private final Histogram histogram = new Histogram();

    @ParameterizedTest
    @EnumSource
    void countsEveryByte(Corpus corpus) {
        for (int count : Corpus.COUNTS) {
            byte[] bytes = corpus.bytes(count + 2, 1);
            int[] expected = new int[256];
            for (int i = 1; i <= count; i++) {
                expected[bytes[i] & 0xFF]++;
            }
            histogram.countAll(bytes, 1, count);
            assertThat(histogram.counts()).as("count=%d", count).isEqualTo(expected);
            assertThat(histogram.total()).isEqualTo(count);
        }
    }

    @Test
    void sampleEstimatesTheEntropy() {
        byte[] bytes = Corpus.ID_PAIRS.bytes(32768, 1);
        histogram.countAll(bytes, 0, bytes.length);
        double whole = histogram.entropyBits() / histogram.total();
        histogram.sample(bytes, 0, bytes.length, 8);
        assertThat(histogram.total()).isEqualTo(4096);
        assertThat(histogram.entropyBits() / histogram.total()).isCloseTo(whole, within(0.05 * whole));
    }

    @Test
    void sampleOfFewBytesIsNotEmpty() {
        histogram.sample(new byte[] {1, 2, 3}, 0, 3, 8);
        assertThat(histogram.total()).isEqualTo(3);
    }
}
