package dev.cairn.store;

import static dev.cairn.codec.ElementType.FLOAT8_E8M0FNU;
import static dev.cairn.codec.ElementType.UINT64;
import static dev.cairn.store.SealedText.printable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.codec.Crc32c;
import dev.cairn.codec.ElementType;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.LogRecord.FreshStart;
import dev.cairn.store.LogRecord.Parent;
import dev.cairn.store.LogRecord.Pruned;
import dev.cairn.store.LogRecord.SegmentRef;
import dev.cairn.store.LogRecord.TakenOver;
import dev.cairn.store.LogRecord.TensorRef;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/// The content of a log record, in a [SealedText]: one JSON object.
final class RecordFormat {
    /// The newest that is read. A record is written with the lowest version that has all it says.
    static final int VERSION = 5;
    private static final int USUAL_VERSION = 3;
    private static final int TAKE_OVER_VERSION = 4;
    private static final int MORE_TYPES_VERSION = 5;
    private static final Set<ElementType> MORE_TYPES =
            Collections.unmodifiableSet(EnumSet.range(UINT64, FLOAT8_E8M0FNU));
    private static final String MAGIC = "cairn-record";

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private RecordFormat() {}

    static byte[] write(LogRecord entry) {
        ObjectNode json = switch (entry) {
            case Checkpoint checkpoint -> json(checkpoint);
            case FreshStart _ -> JSON.createObjectNode().put("type", "start");
            case Pruned pruned -> json(pruned);
            case TakenOver taken ->
                JSON.createObjectNode()
                        .put("type", "takeover")
                        .put("from", taken.from())
                        .put("by", taken.by());
        };
        json.put("number", entry.number()).put("time", entry.time().toString());
        return new SealedText(version(entry), text(json)).bytes(MAGIC);
    }

    private static int version(LogRecord entry) {
        return switch (entry) {
            case Checkpoint checkpoint
            when checkpoint.tensors().stream()
                    .anyMatch(tensor -> MORE_TYPES.contains(tensor.spec().type())) -> MORE_TYPES_VERSION;
            case TakenOver _ -> TAKE_OVER_VERSION;
            case Checkpoint _, FreshStart _, Pruned _ -> USUAL_VERSION;
        };
    }

    static LogRecord read(String file, long number, byte[] bytes) throws StoreException {
        return read(file, number, SealedText.read(file, "record", MAGIC, VERSION, bytes));
    }

    /// The same but for the tensors of a checkpoint, which are read when they are first asked for. Where they then make
    /// no sense, an `UncheckedIOException` tells.
    ///
    /// @param again reads the record as a whole
    static LogRecord outline(String file, long number, byte[] bytes, DeferredTensors.Source again)
            throws StoreException {
        SealedText sealed = SealedText.read(file, "record", MAGIC, VERSION, bytes);
        Optional<TensorText> tensors = TensorText.in(sealed.content());
        if (tensors.isEmpty()) {
            return read(file, number, sealed);
        }
        try {
            JsonNode json = JSON.readTree(tensors.get().rest());
            OptionalLong fullBytes =
                    json.has("fullBytes") ? OptionalLong.of(integer(json, "fullBytes")) : OptionalLong.empty();
            return parse(file, number, sealed.version(), json) instanceof Checkpoint checkpoint
                    ? checkpoint.with(new DeferredTensors(again, fullBytes))
                    : read(file, number, sealed);
        } catch (JsonProcessingException | RuntimeException | DamagedException notAsWeWriteIt) {
            return read(file, number, sealed);
        }
    }

    private static LogRecord read(String file, long number, SealedText sealed) throws StoreException {
        try {
            return parse(file, number, sealed.version(), JSON.readTree(sealed.content()));
        } catch (JsonProcessingException
                | IllegalArgumentException
                | ArithmeticException
                | DateTimeException malformed) {
            throw new DamagedException(file, "record does not parse: " + firstLine(malformed));
        }
    }

    private static LogRecord parse(String file, long number, long version, JsonNode json) throws DamagedException {
        LogRecord entry = parse(json, version);
        if (entry.number() != number) {
            throw new DamagedException(
                    file, "record is number %d under the name of %d".formatted(entry.number(), number));
        }
        return entry;
    }

    private static ObjectNode json(Checkpoint checkpoint) {
        ObjectNode json = JSON.createObjectNode()
                .put("type", "checkpoint")
                .put("id", checkpoint.id())
                .put("step", checkpoint.step())
                .put("codec", checkpoint.codec())
                .put("digest", checkpoint.digest())
                .put("fullBytes", checkpoint.fullBytes());
        Parent parent = checkpoint.parent();
        if (parent != null) {
            json.putObject("parent").put("id", parent.id()).put("digest", parent.digest());
        }
        if (checkpoint.replaces() != 0) {
            json.put("replaces", checkpoint.replaces());
        }
        json.set("attributes", JSON.valueToTree(checkpoint.attributes().asMap()));
        var segments = json.putArray("segments");
        for (SegmentRef segment : checkpoint.segments()) {
            segments.addObject()
                    .put("name", segment.name())
                    .put("bytes", segment.sizeBytes())
                    .put("indexCrc32c", Crc32c.text(segment.indexCrc()));
        }
        var tensors = json.putArray("tensors");
        for (TensorRef tensor : checkpoint.tensors()) {
            TensorSpec spec = tensor.spec();
            ObjectNode node = tensors.addObject()
                    .put("name", spec.name())
                    .put("dtype", spec.type().label())
                    .put("role", spec.role().label())
                    .put("codec", tensor.codec())
                    .put("segment", tensor.segment())
                    .put("firstBlock", tensor.firstBlock());
            tensor.storedBytes().ifPresent(bytes -> node.put("bytes", bytes));
            tensor.relativeError().ifPresent(error -> node.put("error", error));
            spec.shape().forEach(node.putArray("shape")::add);
        }
        return json;
    }

    private static LogRecord parse(JsonNode json, long version) {
        long number = integer(json, "number");
        Instant time = RecordTime.parse(text(json, "time"));
        String type = text(json, "type");
        if (type.equals("takeover") && version >= TAKE_OVER_VERSION) {
            return new TakenOver(number, time, text(json, "from"), text(json, "by"));
        }
        return switch (type) {
            case "start" -> new FreshStart(number, time);
            case "prune" ->
                new Pruned(
                        number,
                        time,
                        json.has("since") ? OptionalLong.of(since(json, number)) : OptionalLong.empty(),
                        numbers(field(json, "kept", JsonNode::isArray)));
            case "checkpoint" ->
                new Checkpoint(
                        number,
                        text(json, "id"),
                        integer(json, "step"),
                        time,
                        json.has("parent") ? parent(json.path("parent"), version) : null,
                        version == 1 ? "full" : text(json, "codec"),
                        version < 3 ? "" : text(json, "digest"),
                        json.has("replaces") ? replaces(json, number) : 0,
                        attributes(field(json, "attributes", JsonNode::isObject)),
                        segments(field(json, "segments", JsonNode::isArray)),
                        tensors(field(json, "tensors", JsonNode::isArray), version));
            default -> throw new IllegalArgumentException("unknown record type '" + printable(type) + "'");
        };
    }

    private static Attributes attributes(JsonNode json) {
        var attributes = new HashMap<String, Object>();
        for (var entry : json.properties()) {
            String name = entry.getKey();
            JsonNode value = entry.getValue();
            Object found = switch (value.getNodeType()) {
                case STRING -> value.textValue();
                case BOOLEAN -> value.booleanValue();
                case NUMBER -> {
                    if (value.isIntegralNumber() && value.canConvertToLong()) {
                        yield value.longValue();
                    }
                    yield value.doubleValue();
                }
                case ARRAY, BINARY, MISSING, NULL, OBJECT, POJO ->
                    throw new IllegalArgumentException("attribute " + printable(name) + " has no value");
            };
            attributes.put(name, found);
        }
        return Attributes.of(attributes);
    }

    private static ObjectNode json(Pruned pruned) {
        ObjectNode json = JSON.createObjectNode().put("type", "prune");
        pruned.since().ifPresent(since -> json.put("since", since));
        pruned.kept().forEach(json.putArray("kept")::add);
        return json;
    }

    private static List<Long> numbers(JsonNode json) {
        var numbers = new ArrayList<Long>();
        for (JsonNode node : json) {
            if (!node.isIntegralNumber() || !node.canConvertToLong()) {
                throw new IllegalArgumentException("a kept number is not a number");
            }
            numbers.add(node.longValue());
        }
        if (numbers.isEmpty()) {
            throw new IllegalArgumentException("it keeps nothing, which no pruning does");
        }
        return numbers;
    }

    private static long since(JsonNode json, long number) {
        long since = integer(json, "since");
        if (since < 0 || since >= number) {
            throw new IllegalArgumentException("a pruning since number " + since);
        }
        return since;
    }

    private static long replaces(JsonNode json, long number) {
        long replaced = integer(json, "replaces");
        if (replaced == 0 || replaced >= number) {
            throw new IllegalArgumentException("number %d cannot replace %d".formatted(number, replaced));
        }
        return replaced;
    }

    private static Parent parent(JsonNode json, long version) {
        return new Parent(text(json, "id"), version < 3 ? "" : text(json, "digest"));
    }

    private static List<SegmentRef> segments(JsonNode json) {
        var segments = new ArrayList<SegmentRef>();
        for (JsonNode node : json) {
            int crc = Integer.parseUnsignedInt(text(node, "indexCrc32c"), 16);
            String name = text(node, "name");
            // Reading any other file is no harmless thing: closing the lock's would set the lock free.
            if (!name.startsWith(CheckpointStore.SEGMENTS)) {
                throw new IllegalArgumentException(
                        "segment '" + printable(name) + "' is not in " + CheckpointStore.SEGMENTS);
            }
            segments.add(new SegmentRef(name, integer(node, "bytes"), crc));
        }
        return segments;
    }

    private static List<TensorRef> tensors(JsonNode json, long version) {
        var tensors = new ArrayList<TensorRef>();
        for (JsonNode node : json) {
            var shape = new ArrayList<Long>();
            for (JsonNode dimension : field(node, "shape", JsonNode::isArray)) {
                shape.add(dimension.isIntegralNumber() && dimension.canConvertToLong() ? dimension.longValue() : -1L);
            }
            var spec = new TensorSpec(
                    text(node, "name"),
                    ElementType.ofLabel(text(node, "dtype")),
                    shape,
                    Role.ofLabel(text(node, "role")));
            tensors.add(new TensorRef(
                    spec,
                    version == 1 ? "raw" : text(node, "codec"),
                    Math.toIntExact(integer(node, "segment")),
                    integer(node, "firstBlock"),
                    node.has("bytes") ? OptionalLong.of(integer(node, "bytes")) : OptionalLong.empty(),
                    node.has("error")
                            ? OptionalDouble.of(
                                    field(node, "error", JsonNode::isNumber).doubleValue())
                            : OptionalDouble.empty()));
        }
        if (tensors.stream().map(tensor -> tensor.spec().name()).distinct().count() != tensors.size()) {
            throw new IllegalArgumentException("two tensors have one name");
        }
        return tensors;
    }

    private static JsonNode field(JsonNode json, String key, java.util.function.Predicate<JsonNode> isRight) {
        JsonNode value = json.path(key);
        if (!isRight.test(value)) {
            throw new IllegalArgumentException("key " + key + " is missing or of the wrong type");
        }
        return value;
    }

    private static String text(JsonNode json, String key) {
        return field(json, key, JsonNode::isTextual).textValue();
    }

    private static long integer(JsonNode json, String key) {
        long value = field(json, key, node -> node.isIntegralNumber() && node.canConvertToLong())
                .longValue();
        if (value < 0) {
            throw new IllegalArgumentException("key " + key + " is negative");
        }
        return value;
    }

    private static String text(ObjectNode json) {
        try {
            return JSON.writeValueAsString(json);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String firstLine(Exception e) {
        return printable(String.valueOf(e.getMessage()).lines().findFirst().orElse("no message"));
    }
}
