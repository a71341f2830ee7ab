package dev.cairn.observe.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// `docs/SYSTEM.md` names the keys that the code writes, and no others.
class SystemPageTest {
    private static final Pattern KEY = Pattern.compile("(?m)^\\| `([A-Za-z.]+)` \\|");

    @Test
    void thePageNamesTheKeysThatAreWritten() throws IOException {
        var written = new TreeSet<String>();
        JsonNode line = SampleJson.write(SystemSamples.sample("java"));
        names("", line, written);
        names("", line.get("processes").get(0), written);
        assertThat(page()).isEqualTo(written);
    }

    @Test
    void whatIsWrittenIsReadBack() throws IOException {
        SystemSample sample = SystemSamples.sample("java");
        Map<String, Object> line = new ObjectMapper()
                .readerForMapOf(Object.class)
                .readValue(SampleJson.write(sample).toString());
        assertThat(SampleJson.read(new LinkedHashMap<>(line))).hasValue(sample);
    }

    private static void names(String prefix, JsonNode object, Set<String> names) {
        object.fieldNames().forEachRemaining(name -> names.add(prefix + name));
    }

    private static Set<String> page() throws IOException {
        var keys = new TreeSet<String>();
        KEY.matcher(Files.readString(Path.of("../docs/SYSTEM.md"))).results().forEach(key -> keys.add(key.group(1)));
        return keys;
    }
}
