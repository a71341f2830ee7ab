package dev.cairn.store.log;

import static dev.cairn.store.log.SealedText.printable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.store.Attributes;
import dev.cairn.store.Bytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Attributes as JSON. Texts, numbers, booleans, `null` and lists are written as in JSON. A map is `{"map": {…}}` and
/// bytes are `{"bytes": "base64"}`, so that a reader can tell them apart.
public final class AttributeJson {
    private static final String MAP = "map";
    private static final String BYTES = "bytes";

    /// Deeper than any real state, but not so deep that reading it could exhaust a thread's stack.
    private static final int DEEPEST = 200;

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private AttributeJson() {}

    /// Returns these values of attributes as JSON.
    public static ObjectNode write(Map<String, ? extends @Nullable Object> attributes) {
        ObjectNode json = NODES.objectNode();
        attributes.forEach((name, value) -> json.set(name, node(value)));
        return json;
    }

    private static JsonNode node(@Nullable Object value) {
        return switch (value) {
            case null -> NODES.nullNode();
            case String text -> NODES.textNode(text);
            case Long whole -> NODES.numberNode(whole.longValue());
            case Double number -> NODES.numberNode(number.doubleValue());
            case Boolean flag -> NODES.booleanNode(flag);
            case Bytes bytes -> NODES.objectNode().put(BYTES, bytes.toArray());
            case Map<?, ?> map -> {
                ObjectNode json = NODES.objectNode();
                ObjectNode inner = json.putObject(MAP);
                map.forEach((name, each) -> inner.set((String) name, node(each)));
                yield json;
            }
            case List<?> list -> {
                ArrayNode json = NODES.arrayNode();
                list.forEach(each -> json.add(node(each)));
                yield json;
            }
            default -> throw new IllegalArgumentException("an attribute cannot be a " + value.getClass());
        };
    }

    /// Returns the attributes that [#write] wrote as this JSON.
    ///
    /// @throws IllegalArgumentException if it did not write this
    public static Attributes read(JsonNode json) {
        if (!json.isObject()) {
            throw new IllegalArgumentException("attributes must be a JSON object");
        }
        var attributes = new HashMap<String, @Nullable Object>();
        for (var entry : json.properties()) {
            attributes.put(entry.getKey(), value(entry.getKey(), entry.getValue(), 0));
        }
        return Attributes.of(attributes);
    }

    private static @Nullable Object value(String name, JsonNode node, int depth) {
        if (depth > DEEPEST) {
            throw new IllegalArgumentException("attribute " + printable(name) + " is nested too deeply");
        }
        return switch (node.getNodeType()) {
            case STRING -> node.textValue();
            case BOOLEAN -> node.booleanValue();
            case NULL -> null;
            case NUMBER -> number(name, node);
            case ARRAY -> {
                var list = new ArrayList<@Nullable Object>();
                for (JsonNode each : node) {
                    list.add(value(name, each, depth + 1));
                }
                yield list;
            }
            case OBJECT -> object(name, node, depth);
            case BINARY, MISSING, POJO ->
                throw new IllegalArgumentException("attribute " + printable(name) + " has no value");
        };
    }

    private static Object number(String name, JsonNode node) {
        if (!node.isIntegralNumber()) {
            return node.doubleValue();
        }
        if (!node.canConvertToLong()) {
            throw new IllegalArgumentException("attribute " + printable(name) + " is larger than any long");
        }
        return node.longValue();
    }

    private static Object object(String name, JsonNode node, int depth) {
        JsonNode bytes = node.path(BYTES);
        if (node.size() == 1 && bytes.isTextual()) {
            return Bytes.ofBase64(bytes.textValue());
        }
        JsonNode inner = node.path(MAP);
        if (node.size() != 1 || !inner.isObject()) {
            throw new IllegalArgumentException("attribute " + printable(name) + " is neither a map nor bytes");
        }
        var map = new HashMap<String, @Nullable Object>();
        for (var entry : inner.properties()) {
            map.put(entry.getKey(), value(name, entry.getValue(), depth + 1));
        }
        return map;
    }
}
