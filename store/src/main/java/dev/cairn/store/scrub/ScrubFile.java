package dev.cairn.store.scrub;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.store.DamagedException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.BlobStore.BlobWriter;
import dev.cairn.store.blob.RunFiles;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;
import java.time.DateTimeException;
import java.time.Instant;

/// The notes of scrubbing as the file `scrub.json`. A file that does not parse counts as absent.
final class ScrubFile {
    private static final int VERSION = 1;
    private static final long MOST_BYTES = 64 << 20;
    private static final JsonMapper JSON = new JsonMapper();

    private ScrubFile() {}

    static ScrubNotes read(BlobStore run) throws IOException {
        var notes = new ScrubNotes();
        try {
            JsonNode json = JSON.readTree(run.readAll(RunFiles.SCRUB, MOST_BYTES));
            if (json.path("version").asInt() == VERSION
                    && json.path("place").asText().equals(run.place())) {
                fill(notes, json);
            }
            return notes;
        } catch (NoSuchFileException | DamagedException | EOFException absent) {
            return notes;
        } catch (JacksonException | DateTimeException invalid) {
            return new ScrubNotes();
        }
    }

    private static void fill(ScrubNotes notes, JsonNode json) {
        notes.rewriteCount = json.path("rewritten").asLong();
        json.path("checked").properties().forEach(each -> notes.checked.put(each.getKey(), time(each.getValue())));
        json.path("damaged")
                .properties()
                .forEach(
                        each -> notes.damaged.put(each.getKey(), each.getValue().asText()));
    }

    private static Instant time(JsonNode text) {
        return Instant.parse(text.asText());
    }

    static void write(BlobStore run, ScrubNotes notes) throws IOException {
        ObjectNode json = JSON.createObjectNode()
                .put("version", VERSION)
                .put("place", run.place())
                .put("rewritten", notes.rewriteCount);
        ObjectNode damaged = json.putObject("damaged");
        notes.damaged.forEach(damaged::put);
        ObjectNode checked = json.putObject("checked");
        notes.checked.forEach((file, time) -> checked.put(file, time.toString()));
        try (BlobWriter file = run.replace(RunFiles.SCRUB)) {
            file.append(MemorySegment.ofArray(JSON.writeValueAsBytes(json)));
            file.finish();
        }
    }
}
