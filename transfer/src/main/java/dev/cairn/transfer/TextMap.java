package dev.cairn.transfer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/// A JSON object of texts, as metadata of files has it.
final class TextMap {
    private static final JsonFactory JSON = new JsonFactory();

    private TextMap() {}

    /// @param most entries that make sense: no more is built of a text, however long it is
    /// @throws IllegalArgumentException where it is anything else
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
