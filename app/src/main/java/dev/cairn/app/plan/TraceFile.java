package dev.cairn.app.plan;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.cairn.plan.recovery.Trace;
import dev.cairn.plan.recovery.TraceBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Reads a trace from a file: `{"processes": {"P": ["send m1", "checkpoint CP1"], "Q": ["receive m1"]}}`. It reads a
/// stream, because a trace may have millions of events.
final class TraceFile {
    private TraceFile() {}

    /// Returns the trace, or throws an `IllegalArgumentException` with a message of one line.
    static Trace read(Path file) throws IOException {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new IllegalArgumentException("cannot read " + file + "; give a file with a trace");
        }
        var factory = JsonFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
        try (JsonParser json = factory.createParser(file.toFile())) {
            var builder = new TraceBuilder();
            expect(json, json.nextToken(), JsonToken.START_OBJECT, "an object with 'processes'");
            boolean found = false;
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                boolean processes = json.currentName().equals("processes");
                JsonToken value = json.nextToken();
                if (processes) {
                    found = true;
                    readProcesses(json, value, builder);
                } else {
                    json.skipChildren();
                }
            }
            if (!found || json.nextToken() != null) {
                throw wrong(json, found ? "nothing after the object" : "the key 'processes'");
            }
            return builder.build();
        } catch (JsonProcessingException malformed) {
            JsonLocation where = malformed.getLocation();
            throw new IllegalArgumentException("%s is not valid JSON: %s%s"
                    .formatted(file, where == null ? "" : "line %d: ".formatted(where.getLineNr()), plain(malformed)));
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(file + ": " + wrong.getMessage());
        }
    }

    /// The message of Jackson without remarks on its own settings.
    private static String plain(JsonProcessingException malformed) {
        return malformed.getOriginalMessage().replaceFirst("(: was expecting)? \\(.*", "");
    }

    private static void readProcesses(JsonParser json, JsonToken value, TraceBuilder builder) throws IOException {
        expect(json, value, JsonToken.START_OBJECT, "an object of processes");
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            builder.process(json.currentName());
            expect(json, json.nextToken(), JsonToken.START_ARRAY, "a list of events");
            for (JsonToken event = json.nextToken(); event != JsonToken.END_ARRAY; event = json.nextToken()) {
                expect(json, event, JsonToken.VALUE_STRING, "an event such as \"send m1\"");
                builder.event(json.getText());
            }
        }
    }

    private static void expect(JsonParser json, JsonToken found, JsonToken wanted, String what) {
        if (found != wanted) {
            throw wrong(json, what);
        }
    }

    private static IllegalArgumentException wrong(JsonParser json, String what) {
        return new IllegalArgumentException(
                "line %d: expected %s".formatted(json.currentTokenLocation().getLineNr(), what));
    }
}
