package dev.cairn.observe.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DstatTableTest {
    @Test
    void theTableHasTheLinesOfDstat() {
        List<String> header =
                DstatTable.header("node1", "ada", SystemSamples.TIME).lines().toList();
        assertThat(header).hasSize(6);
        assertThat(header.get(0)).isEqualTo("\"Dstat 0.7.3 CSV output\"");
        assertThat(header.get(2)).isEqualTo("\"Host:\",\"node1\",,,,\"User:\",\"ada\"");
        assertThat(header.get(3)).endsWith(",,,,\"Date:\",\"18 Nov 2026 10:00:01 UTC\"");
        assertThat(header.get(5))
                .isEqualTo(
                        "\"time\",\"usr\",\"sys\",\"idl\",\"wai\",\"stl\",\"read\",\"writ\",\"recv\",\"send\",\"used\",\"free\",\"buff\",\"cach\",\"cpu process\",\"memory process\"");
        String row = DstatTable.row(SystemSamples.sample("java"), 4);
        assertThat(row)
                .isEqualTo(
                        "18-11 10:00:01,50.000,15.500,25.000,6.250,3.250,4096.000,8192.000,100.000,200.000,1000.000,2000.000,300.000,400.000,\"java / 50%\",\"java / 77\"\n");
        assertThat(row.split(",", -1))
                .hasSameSizeAs(header.get(4).split(",", -1))
                .hasSameSizeAs(header.get(5).split(",", -1));
    }

    @Test
    void whatIsUnknownIsEmpty() {
        SystemSample known = SystemSamples.sample("java");
        var unknown = new SystemSample(
                known.time(),
                1,
                known.cpu(),
                ByteRates.UNKNOWN,
                known.network(),
                known.memory(),
                Optional.empty(),
                Optional.empty(),
                List.of());
        assertThat(DstatTable.row(unknown, 4)).contains(",3.250,,,100.000,").endsWith(",\"\",\"\"\n");
    }

    /// Anybody on the machine may choose the name of a process.
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '\0',
            value = {"=cmd|'/C calc'!A0;'=cmd|'/C calc'!A0", "a\"b;a\"\"b", "two\u0085lines;two lines"})
    void aHostileNameIsOneCellOfText(String name, String shown) {
        assertThat(DstatTable.row(SystemSamples.sample(name), 4)).endsWith(",\"%s / 77\"\n".formatted(shown));
    }
}
