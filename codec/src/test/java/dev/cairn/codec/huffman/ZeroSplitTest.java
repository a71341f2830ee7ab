package dev.cairn.codec.huffman;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ZeroSplitTest {
    @ParameterizedTest
    @EnumSource
    void joinsWhatWasSplit(Corpus corpus) {
        for (int count : Corpus.COUNTS) {
            byte[] bytes = corpus.bytes(count + 1, count);
            byte[] flags = new byte[ZeroSplit.flagBytes(count)];
            byte[] others = new byte[count + 8];
            int n = ZeroSplit.split(bytes, 1, count, flags, others);
            assertThat(ZeroSplit.countFlags(flags, flags.length)).isEqualTo(n);
            for (int i = 0; i < n; i++) {
                assertThat(others[i]).isNotZero();
            }
            byte[] joined = new byte[count + 1];
            joined[0] = bytes[0];
            ZeroSplit.join(flags, others, joined, 1, count);
            assertThat(joined).as("count=%d", count).isEqualTo(bytes);
        }
    }
}
