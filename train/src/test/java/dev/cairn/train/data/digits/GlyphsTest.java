package dev.cairn.train.data.digits;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GlyphsTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void everyDigitIsWrittenInThreeWaysOrMore(int digit) {
        assertThat(Glyphs.handwritings(digit)).hasSizeGreaterThanOrEqualTo(3);
    }
}
