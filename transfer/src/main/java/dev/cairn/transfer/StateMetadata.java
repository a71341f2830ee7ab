package dev.cairn.transfer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.cairn.formats.file.DamagedFileException;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.store.log.AttributeJson;
import dev.cairn.store.log.Manifest;
import dev.cairn.store.segment.TensorRef;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The metadata of a file of a whole state: the step, the attributes and the roles of the tensors, each as one
/// text. With them, the file can become the same checkpoint again.
///
/// @param step the step; empty if the file has none
/// @param roles the roles of tensors that are not weights, by name
record StateMetadata(OptionalLong step, Attributes attributes, Map<String, Role> roles) {
    private static final String STEP = "cairn.step";
    private static final String ATTRIBUTES = "cairn.attributes";
    private static final String ROLES = "cairn.roles";

    /// The maximum number of characters of all attributes. The objects made from them use many times this memory.
    private static final int LONGEST_ATTRIBUTES = 4 << 20;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    static SortedMap<String, String> write(Manifest manifest, Map<String, ? extends @Nullable Object> attributes) {
        var roles = new TreeMap<String, String>();
        for (TensorRef tensor : manifest.tensors()) {
            if (tensor.spec().role() != Role.WEIGHT) {
                roles.put(tensor.spec().name(), tensor.spec().role().label());
            }
        }
        var metadata = new TreeMap<String, String>();
        metadata.put(STEP, Long.toString(manifest.checkpoint().step()));
        metadata.put(ATTRIBUTES, json(AttributeJson.write(attributes)));
        metadata.put(ROLES, json(roles));
        return metadata;
    }

    /// Removes Cairn's entries from the metadata and returns them.
    ///
    /// @param tensors the number of tensors in the file
    static StateMetadata take(String file, SortedMap<String, String> metadata, int tensors)
            throws DamagedFileException {
        String step = metadata.remove(STEP);
        String attributes = metadata.remove(ATTRIBUTES);
        String roles = metadata.remove(ROLES);
        try {
            return new StateMetadata(
                    step == null ? OptionalLong.empty() : OptionalLong.of(parseStep(step)),
                    attributes == null ? Attributes.empty() : parseAttributes(attributes),
                    roles == null ? Map.of() : parseRoles(roles, tensors));
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw new DamagedFileException(
                    file,
                    "its metadata '%s', '%s' or '%s' is not what Cairn writes".formatted(STEP, ATTRIBUTES, ROLES));
        }
    }

    private static long parseStep(String text) {
        long step = Long.parseLong(text);
        if (step < 0) {
            throw new IllegalArgumentException("negative step");
        }
        return step;
    }

    private static Attributes parseAttributes(String text) throws JsonProcessingException {
        if (text.length() > LONGEST_ATTRIBUTES) {
            throw new IllegalArgumentException("attributes of %d characters".formatted(text.length()));
        }
        return AttributeJson.read(JSON.readTree(text));
    }

    private static Map<String, Role> parseRoles(String text, int tensors) {
        var roles = new HashMap<String, Role>();
        TextMap.parse(text, tensors).forEach((name, label) -> roles.put(name, Role.ofLabel(label)));
        return roles;
    }

    private static String json(Object values) {
        try {
            return JSON.writeValueAsString(values);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
