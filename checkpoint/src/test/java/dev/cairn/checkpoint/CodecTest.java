package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CodecTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "full",
                "lossless",
                "uq:0.5",
                "uq:0.74+m:0.25",
                "rel:0.01+m:0.1",
                "lc:3+m:0.5",
                "lc:auto:0.5+m:1.0",
                "lc:3"
            })
    void aCodecIsReadByItsName(String name) {
        assertThat(Codec.parse(name).text()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"scar:0.05", "topn:0.1", "topn:1.0", "l2:1", "l2:7", "excp"})
    void onlyStudiesReadYardsticks(String name) {
        assertThat(Yardstick.parse(name).text()).isEqualTo(name);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Codec.parse(name))
                .withMessageNotContainingAny("scar:F", "excp:", "l2:X");
    }

    @Test
    void studiesReadWhatUsersMayName() {
        assertThat(Yardstick.parse("lossy+m")).isEqualTo(Codec.parse("lossy+m"));
    }

    @Test
    void momentsAreKeptWithTheUsualErrorUnlessAnotherIsNamed() {
        assertThat(Codec.parse("lossy+m").text()).isEqualTo("uq:0.74+m:0.5");
        assertThat(Codec.parse("lossy+m").isLossy()).isTrue();
        assertThat(Codec.parse("lossy").momentTarget()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "l2",
                "l2:0",
                "l2:8",
                "l2:x",
                "scar:0",
                "scar:1.1",
                "topn:-1",
                "topn:NaN",
                "excp:4",
                "lossless+m",
                "full+m",
                "excp+m",
                "uq:0.5+m:0",
                "uq:0.5+m:2",
                "lossy+m+m",
                "+m",
                "lossy+v"
            })
    void anythingElseIsRefused(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> Codec.parse(name));
        assertThatIllegalArgumentException().isThrownBy(() -> Yardstick.parse(name));
    }
}
