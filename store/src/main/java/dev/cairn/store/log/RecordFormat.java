package dev.cairn.store.log;

import static dev.cairn.store.log.SealedText.printable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.codec.Crc32c;
import dev.cairn.codec.parity.ParityLayout;
import dev.cairn.store.DamagedException;
import dev.cairn.store.StoreException;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.LogRecord.FreshStart;
import dev.cairn.store.log.LogRecord.Parent;
import dev.cairn.store.log.LogRecord.Pruned;
import dev.cairn.store.log.LogRecord.TakenOver;
import dev.cairn.store.segment.SegmentRef;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// The content of a log record: one JSON object in a [SealedText].
public final class RecordFormat {
    static final int VERSION = 1;
    private static final String MAGIC = "cairn-record";
    private static final int ID_DIGITS = 16;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private RecordFormat() {}

    /// Encodes the record of a checkpoint.
    public static byte[] write(Manifest manifest) {
        ObjectNode json = json(manifest.checkpoint());
        json.set("tensors", TensorJson.write(JSON, manifest.tensors()));
        return sealed(manifest.checkpoint(), json);
    }

    /// Encodes any other record.
    static byte[] write(LogRecord entry) {
        ObjectNode json = switch (entry) {
            case Commit checkpoint ->
                throw new IllegalArgumentException(
                        "a checkpoint must be written with its tensors: " + checkpoint.number());
            case FreshStart _ -> JSON.createObjectNode().put("type", "start");
            case Pruned pruned -> json(pruned);
            case TakenOver taken ->
                JSON.createObjectNode()
                        .put("type", "takeover")
                        .put("from", taken.from())
                        .put("by", taken.by());
        };
        return sealed(entry, json);
    }

    private static byte[] sealed(LogRecord entry, ObjectNode json) {
        json.put("number", entry.number()).put("time", entry.time().toString());
        try {
            return new SealedText(VERSION, JSON.writeValueAsString(json)).bytes(MAGIC);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /// Reads a record. The tensors of a checkpoint are not parsed.
    static LogRecord read(String file, long number, byte[] bytes) throws StoreException {
        String content = SealedText.read(file, "record", MAGIC, VERSION, bytes).content();
        Optional<TensorText> tensors = TensorText.in(content);
        if (tensors.isPresent()) {
            try {
                return parsed(
                        file, number, () -> record(JSON.readTree(tensors.get().rest())));
            } catch (DamagedException notAsWeWriteIt) {
                // The keys may be in another order.
            }
        }
        return parsed(file, number, () -> record(JSON.readTree(content)));
    }

    /// Reads the record of a checkpoint with its tensors.
    ///
    /// @throws DamagedException also if the record is not a checkpoint
    static Manifest manifest(String file, long number, byte[] bytes) throws StoreException {
        String content = SealedText.read(file, "record", MAGIC, VERSION, bytes).content();
        JsonNode json = parse(file, () -> JSON.readTree(content));
        if (!(parsed(file, number, () -> record(json)) instanceof Commit checkpoint)) {
            throw new DamagedException(file, "record is not a checkpoint");
        }
        return parse(file, () -> new Manifest(checkpoint, TensorJson.read(JsonFields.list(json, "tensors"))));
    }

    private interface Parsing<T> {
        T parse() throws JsonProcessingException;
    }

    private static LogRecord parsed(String file, long number, Parsing<LogRecord> parsing) throws DamagedException {
        LogRecord entry = parse(file, parsing);
        if (entry.number() != number) {
            throw new DamagedException(
                    file, "record has number %d, but its file name says %d".formatted(entry.number(), number));
        }
        return entry;
    }

    private static <T> T parse(String file, Parsing<T> parsing) throws DamagedException {
        try {
            return parsing.parse();
        } catch (JsonProcessingException
                | IllegalArgumentException
                | ArithmeticException
                | DateTimeException malformed) {
            throw new DamagedException(file, "record does not parse: " + firstLine(malformed));
        }
    }

    private static ObjectNode json(Commit checkpoint) {
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
        json.set("attributes", AttributeJson.write(checkpoint.attributes().asMap()));
        var segments = json.putArray("segments");
        for (SegmentRef segment : checkpoint.segments()) {
            segments.addObject()
                    .put("name", segment.name())
                    .put("id", HexFormat.of().toHexDigits(segment.id()))
                    .put("bytes", segment.sizeBytes())
                    .put("contentBytes", segment.layout().contentBytes())
                    .put("chunkBytes", segment.layout().chunkBytes())
                    .put("parityChunks", segment.layout().groups())
                    .put("indexCrc32c", Crc32c.text(segment.indexCrc()))
                    .put("digest", segment.digest());
        }
        return json;
    }

    private static LogRecord record(JsonNode json) {
        long number = JsonFields.integer(json, "number");
        Instant time = RecordTime.parse(JsonFields.text(json, "time"));
        String type = JsonFields.text(json, "type");
        return switch (type) {
            case "start" -> new FreshStart(number, time);
            case "takeover" -> new TakenOver(number, time, JsonFields.text(json, "from"), JsonFields.text(json, "by"));
            case "prune" -> new Pruned(number, time, since(json, number), numbers(JsonFields.list(json, "kept")));
            case "checkpoint" ->
                new Commit(
                        number,
                        id(json),
                        JsonFields.integer(json, "step"),
                        time,
                        json.has("parent") ? parent(json.path("parent")) : null,
                        JsonFields.text(json, "codec"),
                        JsonFields.text(json, "digest"),
                        json.has("replaces") ? replaces(json, number) : 0,
                        JsonFields.integer(json, "fullBytes"),
                        AttributeJson.read(JsonFields.object(json, "attributes")),
                        segments(JsonFields.list(json, "segments")));
            default -> throw new IllegalArgumentException("unknown record type '" + printable(type) + "'");
        };
    }

    private static String id(JsonNode json) {
        String id = JsonFields.text(json, "id");
        if (id.length() != ID_DIGITS
                || !HexFormat.of()
                        .toHexDigits(HexFormat.fromHexDigitsToLong(id))
                        .equals(id)) {
            throw new IllegalArgumentException("an id must have " + ID_DIGITS + " hexadecimal digits");
        }
        return id;
    }

    private static ObjectNode json(Pruned pruned) {
        ObjectNode json = JSON.createObjectNode().put("type", "prune").put("since", pruned.since());
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
            throw new IllegalArgumentException("a pruning that keeps nothing");
        }
        return numbers;
    }

    private static long since(JsonNode json, long number) {
        long since = JsonFields.integer(json, "since");
        if (since >= number) {
            throw new IllegalArgumentException("a pruning cannot be since number " + since);
        }
        return since;
    }

    private static long replaces(JsonNode json, long number) {
        long replaced = JsonFields.integer(json, "replaces");
        if (replaced == 0 || replaced >= number) {
            throw new IllegalArgumentException("number %d cannot replace %d".formatted(number, replaced));
        }
        return replaced;
    }

    private static Parent parent(JsonNode json) {
        return new Parent(JsonFields.text(json, "id"), JsonFields.text(json, "digest"));
    }

    private static List<SegmentRef> segments(JsonNode json) {
        var segments = new ArrayList<SegmentRef>();
        for (JsonNode node : json) {
            segments.add(new SegmentRef(
                    printable(JsonFields.text(node, "name")),
                    HexFormat.fromHexDigitsToLong(JsonFields.text(node, "id")),
                    layout(node),
                    Integer.parseUnsignedInt(JsonFields.text(node, "indexCrc32c"), 16),
                    JsonFields.text(node, "digest")));
        }
        return segments;
    }

    private static ParityLayout layout(JsonNode json) {
        var layout = new ParityLayout(
                JsonFields.integer(json, "contentBytes"),
                Math.toIntExact(JsonFields.integer(json, "chunkBytes")),
                JsonFields.integer(json, "parityChunks"));
        if (layout.fileBytes() != JsonFields.integer(json, "bytes")) {
            throw new IllegalArgumentException("a segment of other parts than its size: bytes=%d, parts=%d"
                    .formatted(JsonFields.integer(json, "bytes"), layout.fileBytes()));
        }
        return layout;
    }

    private static String firstLine(Exception e) {
        return printable(String.valueOf(e.getMessage()).lines().findFirst().orElse("no message"));
    }
}
