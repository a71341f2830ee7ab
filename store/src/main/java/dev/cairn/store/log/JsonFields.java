package dev.cairn.store.log;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// Fields of a record's JSON, each of the type that it must have; `IllegalArgumentException` where it is another.
final class JsonFields {
    private JsonFields() {}

    static String text(JsonNode json, String key) {
        return field(json, key, JsonNode::isTextual).textValue();
    }

    /// A whole number that is not negative.
    static long integer(JsonNode json, String key) {
        long value = field(json, key, node -> node.isIntegralNumber() && node.canConvertToLong())
                .longValue();
        if (value < 0) {
            throw new IllegalArgumentException("key " + key + " is negative");
        }
        return value;
    }

    static double number(JsonNode json, String key) {
        return field(json, key, JsonNode::isNumber).doubleValue();
    }

    static JsonNode list(JsonNode json, String key) {
        return field(json, key, JsonNode::isArray);
    }

    static JsonNode object(JsonNode json, String key) {
        return field(json, key, JsonNode::isObject);
    }

    /// A list of whole numbers; what is none of them becomes −1, which no shape or offset has.
    static List<Long> integers(JsonNode json, String key) {
        var numbers = new ArrayList<Long>();
        for (JsonNode node : list(json, key)) {
            numbers.add(node.isIntegralNumber() && node.canConvertToLong() ? node.longValue() : -1L);
        }
        return numbers;
    }

    private static JsonNode field(JsonNode json, String key, Predicate<JsonNode> isRight) {
        JsonNode value = json.path(key);
        if (!isRight.test(value)) {
            throw new IllegalArgumentException("key " + key + " is missing or of the wrong type");
        }
        return value;
    }
}
