package dev.cairn.codec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Compares values with the definitions of the types.
class Float8Test {
    @ParameterizedTest
    @CsvSource({
        "FLOAT8_E4M3FN, 0x00, 0",
        "FLOAT8_E4M3FN, 0x38, 1",
        "FLOAT8_E4M3FN, 0xB8, -1",
        "FLOAT8_E4M3FN, 0x7E, 448",
        "FLOAT8_E4M3FN, 0x01, 0.001953125",
        "FLOAT8_E4M3FN, 0x7F, NaN",
        "FLOAT8_E5M2, 0x3C, 1",
        "FLOAT8_E5M2, 0x7B, 57344",
        "FLOAT8_E5M2, 0x7C, Infinity",
        "FLOAT8_E5M2, 0xFC, -Infinity",
        "FLOAT8_E5M2, 0x7E, NaN",
        "FLOAT8_E5M2, 0x01, 0.0000152587890625",
        "FLOAT8_E4M3FNUZ, 0x40, 1",
        "FLOAT8_E4M3FNUZ, 0x7F, 240",
        "FLOAT8_E4M3FNUZ, 0x80, NaN",
        "FLOAT8_E5M2FNUZ, 0x40, 1",
        "FLOAT8_E5M2FNUZ, 0x7F, 57344",
        "FLOAT8_E5M2FNUZ, 0x80, NaN",
        "FLOAT8_E8M0FNU, 0x7F, 1",
        "FLOAT8_E8M0FNU, 0x80, 2",
        "FLOAT8_E8M0FNU, 0xFF, NaN",
    })
    void isWhatItsDefinitionSays(ElementType type, String bits, double value) {
        assertThat(Float8.value(type, (byte) Integer.decode(bits).intValue())).isEqualTo(Double.valueOf(value));
    }
}
