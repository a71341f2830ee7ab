package dev.cairn.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.checkpoint.WeightError;
import dev.cairn.store.CheckpointStore;
import dev.cairn.store.CheckpointStore.Entry;
import dev.cairn.store.History;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.LogRecord.SegmentRef;
import dev.cairn.store.QuickCheck;
import dev.cairn.store.QuickCheck.Limits;
import dev.cairn.store.QuickCheck.Status;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The checkpoints of one run, oldest first.
record RunListing(List<Row> rows) {
    /// A training beside it may merge and remove what is being looked at.
    private static final int MOST_ATTEMPTS = 5;

    private static final List<String> UNKNOWN = List.of(
            "id", "step", "time", "kind", "parent", "bytes", "fullBytes", "codec", "errorOfState", "errorOfChange");

    RunListing {
        rows = List.copyOf(rows);
    }

    /// One checkpoint as it is listed.
    ///
    /// @param checkpoint null where its record cannot be read
    record Row(long number, String file, @Nullable Checkpoint checkpoint, Status status) {
        String statusText() {
            return status.name().toLowerCase(Locale.ROOT);
        }
    }

    static RunListing of(CheckpointStore store, Limits limits) throws IOException {
        History history = store.outline();
        Map<Long, Status> statuses = QuickCheck.of(store, history, limits);
        for (int attempt = 1; attempt < MOST_ATTEMPTS && statuses.containsValue(Status.DAMAGED); attempt++) {
            History now = store.outline();
            if (now.lastNumber() == history.lastNumber()) {
                break;
            }
            history = now;
            statuses = QuickCheck.of(store, history, limits);
        }
        var rows = new ArrayList<Row>();
        for (Entry entry : history.current()) {
            Checkpoint checkpoint = entry instanceof Entry.Intact(Checkpoint intact) ? intact : null;
            rows.add(new Row(
                    entry.number(), entry.file(), checkpoint, statuses.getOrDefault(entry.number(), Status.UNKNOWN)));
        }
        return new RunListing(rows);
    }

    /// What all of them take.
    long storedBytes() {
        return rows.stream()
                .mapToLong(
                        row -> row.checkpoint() == null ? 0 : row.checkpoint().storedBytes())
                .sum();
    }

    void print(PrintWriter out, Path run) {
        if (rows.isEmpty()) {
            out.println("no checkpoints in " + RunFolder.name(run));
            return;
        }
        Table table = Table.columns()
                .figure("step")
                .word("time (UTC)")
                .word("kind")
                .figure("size")
                .word("error")
                .word("status")
                .text("id", 16)
                .build();
        var repeated = new TreeSet<Long>();
        var steps = new HashSet<Long>();
        for (Row row : rows) {
            Checkpoint checkpoint = row.checkpoint();
            if (checkpoint == null) {
                table.add("?", "?", "?", "?", "?", row.statusText(), row.file());
                continue;
            }
            table.add(
                    checkpoint.step(),
                    Instant.ofEpochSecond(checkpoint.time().getEpochSecond()),
                    checkpoint.kind(),
                    Quantities.bytes(checkpoint.storedBytes()),
                    error(checkpoint),
                    row.statusText(),
                    checkpoint.id());
            if (!steps.add(checkpoint.step())) {
                repeated.add(checkpoint.step());
            }
        }
        table.print(out);
        out.printf("%s, %s%n", Quantities.count(rows.size(), "checkpoint"), Quantities.bytes(storedBytes()));
        for (long step : repeated) {
            out.printf("step %d was saved more than once: the lowest row of it is the newest%n", step);
        }
    }

    /// How far off the weights are.
    private static String error(Checkpoint checkpoint) {
        return checkpoint
                .attributes()
                .number(WeightError.OF_STATE)
                .map(Quantities::percent)
                .orElse("exact");
    }

    ObjectNode json() {
        ObjectNode document = Json.object();
        var list = document.putArray("checkpoints");
        for (Row row : rows) {
            ObjectNode node = list.addObject().put("number", row.number());
            Checkpoint checkpoint = row.checkpoint();
            if (checkpoint == null) {
                UNKNOWN.forEach(node::putNull);
            } else {
                put(node, checkpoint);
            }
            node.put("status", row.statusText());
            var files = node.putArray("files").add(row.file());
            if (checkpoint != null) {
                checkpoint.segments().stream().map(SegmentRef::name).forEach(files::add);
            }
        }
        return document;
    }

    private static void put(ObjectNode node, Checkpoint checkpoint) {
        node.put("id", checkpoint.id())
                .put("step", checkpoint.step())
                .put("time", checkpoint.time().toString())
                .put("kind", checkpoint.kind())
                .put(
                        "parent",
                        checkpoint.parent() == null ? null : checkpoint.parent().id())
                .put("bytes", checkpoint.storedBytes());
        try {
            node.put("fullBytes", checkpoint.fullBytes());
        } catch (UncheckedIOException malformedTensors) {
            node.putNull("fullBytes");
        }
        node.put("codec", checkpoint.codec());
        putError(node, "errorOfState", checkpoint, WeightError.OF_STATE);
        putError(node, "errorOfChange", checkpoint, WeightError.OF_CHANGE);
    }

    /// Null where the record does not tell, as those of exact checkpoints do not, or where the change was nothing.
    private static void putError(ObjectNode node, String key, Checkpoint checkpoint, String attribute) {
        Object value = checkpoint.attributes().asMap().get(attribute);
        Json.putNumber(node, key, value instanceof Double error ? error : Double.NaN);
    }
}
