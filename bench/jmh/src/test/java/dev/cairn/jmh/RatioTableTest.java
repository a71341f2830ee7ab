package dev.cairn.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.jmh.RatioTable.Row;
import java.util.List;
import org.junit.jupiter.api.Test;

class RatioTableTest {
    @Test
    void everyRowIsAMultipleOfTheYardstickOfItsOwnGroupAndKind() {
        var table = new RatioTable(List.of(
                new Row("codec", "memcpy.encode", "encode", 10e9, 0, 32),
                new Row("codec", "lossy.encode", "encode", 2e9, 0.04, 0.9),
                new Row("codec", "memcpy.decode", "decode", 8e9, 0, Double.NaN),
                new Row("codec", "lossy.decode", "decode", 4e9, 0, Double.NaN),
                new Row("stage", "crc32c", "", 4e9, 0, Double.NaN)));

        assertThat(table.text().lines().map(line -> line.trim().replaceAll(" +", " ")))
                .containsExactly(
                        "",
                        "benchmark GB/s x memcpy noise bits/value",
                        "codec memcpy.encode 10.000 1.000 0% 32.00",
                        "codec lossy.encode 2.000 0.200 4% 0.90",
                        "codec memcpy.decode 8.000 1.000 0%",
                        "codec lossy.decode 4.000 0.500 0%",
                        "stage crc32c 4.000 0%");
    }
}
