package dev.cairn.store.log;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// Reads fields of a record's JSON with type checks. Every method throws `IllegalArgumentException` if a field does
/// not have the required type.
final class JsonFields {
    private JsonFields() {}

    static String text(JsonNode json, String key) {
        return field(json, key, JsonNode::isTextual).textValue();
    }

    /// A non-negative integer.
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

    /// A list of integers. Other values become −1, which is not valid in any shape or offset.
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
