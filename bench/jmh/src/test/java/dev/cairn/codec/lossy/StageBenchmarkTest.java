package dev.cairn.codec.lossy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.CorruptBlockException;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StageBenchmarkTest {
    private final StageBenchmark benchmark = new StageBenchmark();

    @BeforeEach
    void open() {
        benchmark.megabytes = 1;
        benchmark.open();
        benchmark.reset();
    }

    @AfterEach
    void close() {
        benchmark.close();
    }

    @Test
    void decodingGivesTheSymbolsOfTheLastBlock() throws CorruptBlockException {
        benchmark.maskDecode();
        assertDecoded(benchmark.masks[benchmark.masks.length - 1]);
        benchmark.idsDecode();
        assertDecoded(benchmark.pairs[benchmark.pairs.length - 1]);
    }

    @Test
    void bothKernelsMoveTheReferenceToTheSameValues() {
        int before = benchmark.crc32c();
        assertThat(benchmark.applyAndCheck()).isTrue();
        int moved = benchmark.crc32c();
        benchmark.reset();
        assertThat(benchmark.applyAndCheckScalar()).isTrue();
        assertThat(benchmark.crc32c()).isEqualTo(moved).isNotEqualTo(before);
        benchmark.reset();
        benchmark.apply();
        assertThat(benchmark.crc32c()).isEqualTo(moved);
    }

    private void assertDecoded(byte[] expected) {
        assertThat(Arrays.copyOf(benchmark.symbols, expected.length)).isEqualTo(expected);
    }
}
