package dev.cairn.app.text;

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

/// Converts attributes to JSON and back, in the form of a run's records. Strings, numbers, booleans, `null` and lists
/// stay what they are. A map is `{"map": {…}}` and bytes are `{"bytes": "base64"}`, so that the two cannot be confused.
public final class AttributeTree {
    private static final String MAP = "map";
    private static final String BYTES = "bytes";
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private AttributeTree() {}

    /// Returns the attributes as JSON.
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
            case List<?> list -> {
                ArrayNode json = NODES.arrayNode();
                list.forEach(each -> json.add(node(each)));
                yield json;
            }
            case Map<?, ?> map -> {
                ObjectNode inner = NODES.objectNode();
                map.forEach((name, each) -> inner.set((String) name, node(each)));
                yield NODES.objectNode().set(MAP, inner);
            }
            default -> throw new IllegalArgumentException("not a type of attributes: " + value.getClass());
        };
    }

    /// Returns the attributes that [#write] converted to this JSON.
    ///
    /// @throws IllegalArgumentException if the JSON is anything else
    public static Attributes read(JsonNode json) {
        require(json.isObject());
        return Attributes.of(map(json));
    }

    private static Map<String, @Nullable Object> map(JsonNode json) {
        var values = new HashMap<String, @Nullable Object>();
        for (Map.Entry<String, JsonNode> entry : json.properties()) {
            values.put(entry.getKey(), value(entry.getValue()));
        }
        return values;
    }

    private static @Nullable Object value(JsonNode json) {
        return switch (json.getNodeType()) {
            case NULL -> null;
            case STRING -> json.textValue();
            case BOOLEAN -> json.booleanValue();
            case NUMBER -> {
                require(json.isFloatingPointNumber() || json.canConvertToLong());
                yield json.isFloatingPointNumber() ? (Object) json.doubleValue() : json.longValue();
            }
            case ARRAY -> {
                var list = new ArrayList<@Nullable Object>();
                json.forEach(each -> list.add(value(each)));
                yield list;
            }
            case OBJECT -> {
                require(json.size() == 1);
                if (json.path(BYTES).isTextual()) {
                    yield Bytes.ofBase64(json.path(BYTES).textValue());
                }
                require(json.path(MAP).isObject());
                yield map(json.path(MAP));
            }
            case BINARY, MISSING, POJO -> throw new IllegalArgumentException("not attributes");
        };
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException("not attributes");
        }
    }
}
