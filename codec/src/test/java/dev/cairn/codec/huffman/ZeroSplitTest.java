package dev.cairn.codec.huffman;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ZeroSplitTest {
    @ParameterizedTest
    @EnumSource
    void joinsWhatWasSplitAndScalarAndVectorCodeAgree(Corpus corpus) {
        for (int count : Corpus.COUNTS) {
            byte[] bytes = corpus.bytes(count + 1, count);
            byte[] flags = new byte[ZeroSplit.flagBytes(count)];
            byte[] others = new byte[count + ZeroSplit.SLACK];
            int n = ZeroSplit.split(bytes, 1, count, flags, others);
            assertThat(ZeroSplit.countFlags(flags, flags.length)).isEqualTo(n);
            for (int i = 0; i < n; i++) {
                assertThat(others[i]).isNotZero();
            }

            byte[] scalarFlags = new byte[flags.length];
            byte[] scalarOthers = new byte[others.length];
            assertThat(ZeroSplit.split(bytes, 1, 0, count, scalarFlags, scalarOthers, 0))
                    .isEqualTo(n);
            assertThat(scalarFlags).isEqualTo(flags);
            assertThat(Arrays.copyOf(scalarOthers, n)).isEqualTo(Arrays.copyOf(others, n));

            byte[] joined = new byte[count + 1];
            joined[0] = bytes[0];
            ZeroSplit.join(flags, others, joined, 1, count);
            assertThat(joined).as("count=%d", count).isEqualTo(bytes);
            byte[] scalarJoined = new byte[count + 1];
            scalarJoined[0] = bytes[0];
            ZeroSplit.join(flags, others, scalarJoined, 1, 0, count, 0);
            assertThat(scalarJoined).as("count=%d", count).isEqualTo(bytes);
        }
    }
}
