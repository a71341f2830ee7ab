package dev.cairn.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.formats.file.DamagedFileException;
import dev.cairn.store.Attributes;
import dev.cairn.store.Bytes;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.Manifest;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StateMetadataTest {
    @Test
    void attributesComeBackWithTheirBitsAndTypes() throws DamagedFileException {
        Attributes attributes = Attributes.empty()
                .with("text", "ü \"quoted\"\n")
                .with("whole", Long.MIN_VALUE)
                .with("fraction", 0.1)
                .with("round", 3.0)
                .with("tiny", Double.MIN_VALUE)
                .with("nan", Double.NaN)
                .with("infinite", Double.NEGATIVE_INFINITY)
                .with("flag", true)
                .with("bytes", Bytes.of(new byte[] {-1, 0, 1}))
                .with("list", Arrays.asList(1L, 1.0, null, List.of()))
                .with("map", Map.of("bytes", "AA==", "map", Map.of()));
        var checkpoint = new Commit(1, "00", 42, Instant.EPOCH, null, "lossless", "", 0, 0, attributes, List.of());
        var metadata = StateMetadata.write(new Manifest(checkpoint, List.of()), attributes.asMap());
        metadata.put("other", "kept");
        StateMetadata taken = StateMetadata.take("file", metadata, 100);
        assertThat(taken.attributes()).isEqualTo(attributes);
        assertThat(taken.step()).hasValue(42);
        assertThat(metadata).isEqualTo(Map.of("other", "kept"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            cairn.step       | -1
            cairn.step       | 99999999999999999999
            cairn.step       | x
            cairn.attributes | {"a": {}}
            cairn.attributes | []
            cairn.attributes | {"a": {"map": []}}
            cairn.attributes | {"a": {"bytes": "?"}}
            cairn.attributes | {"a": {"map": {}, "bytes": ""}}
            cairn.attributes | {"a": 99999999999999999999}
            cairn.attributes | {"": 1}
            cairn.attributes | {"a": 1, "a": 2}
            cairn.attributes | {
            cairn.roles      | {"a": "captain"}
            cairn.roles      | {"a": 1}
            """)
    void whatCairnDidNotWriteIsDamage(String key, String value) {
        assertThatThrownBy(() -> StateMetadata.take("file", new TreeMap<>(Map.of(key, value)), 100))
                .isInstanceOf(DamagedFileException.class)
                .hasMessageContaining(key);
    }
}
