package dev.cairn.app.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.checkpoint.SavePolicy.EveryDuration;
import dev.cairn.checkpoint.SavePolicy.EveryEpoch;
import dev.cairn.checkpoint.SavePolicy.EverySteps;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class EveryTest {
    @Test
    void aPlainNumberIsSteps() {
        assertThat(new Every().convert("250")).isEqualTo(new EverySteps(250));
    }

    @Test
    void epochsMayBeSavedWhateverTheirLength() {
        assertThat(new Every().convert("epoch")).isEqualTo(new EveryEpoch());
    }

    @ParameterizedTest
    @CsvSource({"500ms, PT0.5S", "30s, PT30S", "5m, PT5M", "2h, PT2H"})
    void aUnitMakesItATime(String text, Duration expected) {
        assertThat(new Every().convert(text)).isEqualTo(new EveryDuration(expected));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "epochs", "0s", "-1", "1.5s", "10 s", "s", "1d", "99999999999"})
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> new Every().convert(text)).isInstanceOf(TypeConversionException.class);
    }
}
