package dev.cairn.store.log;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Extent;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.segment.TensorRef;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// The tensors of a checkpoint as JSON.
final class TensorJson {
    private TensorJson() {}

    static ArrayNode write(JsonMapper mapper, List<TensorRef> tensors) {
        ArrayNode list = mapper.createArrayNode();
        for (TensorRef tensor : tensors) {
            TensorSpec spec = tensor.spec();
            ObjectNode node = list.addObject()
                    .put("name", spec.name())
                    .put("dtype", spec.type().label())
                    .put("role", spec.role().label())
                    .put("codec", tensor.codec())
                    .put("segment", tensor.segment())
                    .put("firstBlock", tensor.firstBlock())
                    .put("bytes", tensor.storedBytes());
            tensor.relativeError().ifPresent(error -> node.put("error", error));
            spec.shape().forEach(node.putArray("shape")::add);
            Extent extent = spec.extent();
            if (extent != null) {
                extent.shape().forEach(node.putArray("wholeShape")::add);
                extent.offset().forEach(node.putArray("offset")::add);
            }
        }
        return list;
    }

    static List<TensorRef> read(JsonNode json) {
        var tensors = new ArrayList<TensorRef>();
        for (JsonNode node : json) {
            var spec = new TensorSpec(
                    JsonFields.text(node, "name"),
                    ElementType.ofLabel(JsonFields.text(node, "dtype")),
                    JsonFields.integers(node, "shape"),
                    Role.ofLabel(JsonFields.text(node, "role")),
                    extent(node));
            tensors.add(new TensorRef(
                    spec,
                    JsonFields.text(node, "codec"),
                    Math.toIntExact(JsonFields.integer(node, "segment")),
                    JsonFields.integer(node, "firstBlock"),
                    JsonFields.integer(node, "bytes"),
                    node.has("error") ? OptionalDouble.of(JsonFields.number(node, "error")) : OptionalDouble.empty()));
        }
        return tensors;
    }

    private static @Nullable Extent extent(JsonNode node) {
        return node.has("offset")
                ? new Extent(JsonFields.integers(node, "wholeShape"), JsonFields.integers(node, "offset"))
                : null;
    }
}
