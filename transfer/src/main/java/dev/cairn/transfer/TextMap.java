package dev.cairn.transfer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/// Reads and writes a JSON object of texts, as in the metadata of files.
final class TextMap {
    private static final JsonFactory JSON = new JsonFactory();

    private TextMap() {}

    /// @param most the maximum number of entries, which limits the memory for a text of any length
    /// @throws IllegalArgumentException if the text is anything else
    static Map<String, String> parse(String text, int most) {
        var entries = new HashMap<String, String>();
        try (JsonParser json = JSON.createParser(text)) {
            require(json.nextToken() == JsonToken.START_OBJECT);
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String key = json.currentName();
                require(json.nextToken() == JsonToken.VALUE_STRING && entries.size() < most);
                require(entries.put(key, json.getText()) == null);
            }
            require(json.currentToken() == JsonToken.END_OBJECT && json.nextToken() == null);
            return entries;
        } catch (IOException malformed) {
            throw new IllegalArgumentException(malformed);
        }
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException("not an object of texts");
        }
    }
}
