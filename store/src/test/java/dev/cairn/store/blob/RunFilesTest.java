package dev.cairn.store.blob;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunFilesTest {
    @ParameterizedTest
    @CsvSource({
        "log/0000000007.rec, 7",
        "log/10000000007.rec, 10000000007",
        "log/00000000007.rec, -1",
        "log/000000007.rec, -1",
        "log/1000000000000007.rec, -1",
        "log/000000000x.rec, -1",
        "log/0000000007.twin, -1"
    })
    void aNumberHasOneName(String name, long number) {
        assertThat(RunFiles.recordNumber(name)).isEqualTo(number);
        if (number >= 0) {
            assertThat(RunFiles.record(number)).isEqualTo(name);
        }
    }
}
