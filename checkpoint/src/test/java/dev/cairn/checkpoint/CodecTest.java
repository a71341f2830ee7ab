package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CodecTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"full", "lossless", "uq:0.5", "lc:3", "scar:0.05", "topn:0.1", "topn:1.0", "l2:1", "l2:7", "excp"
            })
    void aCodecIsReadByItsName(String name) {
        assertThat(Codec.parse(name).text()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "l2", "l2:0", "l2:8", "l2:x", "scar:0", "scar:1.1", "topn:-1", "topn:NaN", "excp:4"})
    void anythingElseIsRefused(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> Codec.parse(name));
    }
}
