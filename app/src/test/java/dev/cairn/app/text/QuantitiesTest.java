package dev.cairn.app.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantitiesTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0 B",
        "999, 999 B",
        "1000, 1.00 kB",
        "999499, 999 kB",
        "999999, 1.00 MB",
        "1234567890, 1.23 GB",
        "9223372036854775807, 9.22 EB"
    })
    void bytes(long bytes, String text) {
        assertThat(Quantities.bytes(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0, 0.000 s", "0.0123, 0.012 s", "12.34, 12.3 s", "61, 1 min 01 s", "7320, 2 h 02 min"})
    void seconds(double seconds, String text) {
        assertThat(Quantities.seconds(seconds)).isEqualTo(text);
    }
}
