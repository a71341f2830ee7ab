package dev.cairn.app.inspect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.run.Keeping;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Sparkline;
import dev.cairn.checkpoint.WeightError;
import dev.cairn.store.check.QuickCheck;
import dev.cairn.store.check.QuickCheck.Limits;
import dev.cairn.store.check.QuickCheck.Status;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.reading.SteadyRead;
import dev.cairn.store.segment.SegmentRef;
import dev.cairn.train.Measure;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The checkpoints of one run, oldest first.
///
/// @param keeping why they still exist, if the run says what it keeps
record RunListing(List<Row> rows, Optional<Keeping> keeping) {
    private static final List<String> UNKNOWN = List.of(
            "id",
            "step",
            "time",
            "kind",
            "parent",
            "bytes",
            "fullBytes",
            "codec",
            "errorOfState",
            "errorOfChange",
            "loss",
            "accuracy",
            "rmse");

    private static final int FEWEST_LOSSES = 3;

    RunListing {
        rows = List.copyOf(rows);
    }

    /// One listed checkpoint.
    ///
    /// @param checkpoint null if its record cannot be read
    record Row(long number, String file, @Nullable Commit checkpoint, Status status) {
        String statusText() {
            return status.name().toLowerCase(Locale.ROOT);
        }
    }

    /// Lists the run. A training may merge and remove checkpoints at the same time.
    static RunListing of(CheckpointStore store, Limits limits) throws IOException {
        return SteadyRead.of(runs -> of(store, runs.history(store), limits), listing -> listing.damaged() > 0);
    }

    private static RunListing of(CheckpointStore store, History history, Limits limits) throws IOException {
        Map<Long, Status> statuses = QuickCheck.of(store, history, limits);
        var rows = new ArrayList<Row>();
        for (Entry entry : history.current()) {
            Commit checkpoint = entry instanceof Entry.Intact(Commit intact) ? intact : null;
            rows.add(new Row(
                    entry.number(), entry.file(), checkpoint, statuses.getOrDefault(entry.number(), Status.UNKNOWN)));
        }
        return new RunListing(rows, Keeping.of(history));
    }

    /// The number of checkpoints that were found damaged, or built on a damaged one.
    long damaged() {
        return rows.stream().filter(row -> row.status() == Status.DAMAGED).count();
    }

    /// The stored size of all checkpoints.
    long storedBytes() {
        return rows.stream()
                .mapToLong(
                        row -> row.checkpoint() == null ? 0 : row.checkpoint().storedBytes())
                .sum();
    }

    /// The losses of the checkpoints, drawn; empty if there are fewer than three, or the output cannot show them.
    String lossCurve(int longest) {
        double[] losses = rows.stream()
                .map(Row::checkpoint)
                .filter(Objects::nonNull)
                .map(checkpoint -> checkpoint.attributes().asMap().get("loss"))
                .filter(Double.class::isInstance) // programs of others may mean something else by this name
                .mapToDouble(loss -> (Double) loss)
                .toArray();
        return losses.length < FEWEST_LOSSES || !Sparkline.isPossible(System.out.charset())
                ? ""
                : Sparkline.of(losses, longest);
    }

    void print(PrintWriter out, RunLocation run) {
        if (rows.isEmpty()) {
            out.println("no checkpoints in " + run);
            return;
        }
        ListingTable.of(this).print(out);
    }

    ObjectNode json() {
        ObjectNode document =
                Json.object().put("keep", keeping.map(Keeping::keep).orElse(null));
        var list = document.putArray("checkpoints");
        for (Row row : rows) {
            ObjectNode node = list.addObject().put("number", row.number());
            Commit checkpoint = row.checkpoint();
            if (checkpoint == null) {
                UNKNOWN.forEach(node::putNull);
            } else {
                put(node, checkpoint);
            }
            node.put("status", row.statusText())
                    .put(
                            "parentOnly",
                            keeping.map(each -> each.isParentOnly(row.number())).orElse(null));
            var files = node.putArray("files").add(row.file());
            if (checkpoint != null) {
                checkpoint.segments().stream().map(SegmentRef::name).forEach(files::add);
            }
        }
        return document;
    }

    private static void put(ObjectNode node, Commit checkpoint) {
        node.put("id", checkpoint.id())
                .put("step", checkpoint.step())
                .put("time", checkpoint.time().toString())
                .put("kind", checkpoint.kind())
                .put(
                        "parent",
                        checkpoint.parent() == null ? null : checkpoint.parent().id())
                .put("bytes", checkpoint.storedBytes())
                .put("fullBytes", checkpoint.fullBytes())
                .put("codec", checkpoint.codec());
        putNumber(node, "errorOfState", checkpoint, WeightError.OF_STATE);
        putNumber(node, "errorOfChange", checkpoint, WeightError.OF_CHANGE);
        putNumber(node, "loss", checkpoint, "loss");
        putNumber(node, "accuracy", checkpoint, Measure.ACCURACY.label());
        putNumber(node, "rmse", checkpoint, Measure.RMSE.label());
    }

    /// Puts null if the record has no such number: exact checkpoints have no error, and most runs have only one of
    /// the two scores.
    private static void putNumber(ObjectNode node, String key, Commit checkpoint, String attribute) {
        Object value = checkpoint.attributes().asMap().get(attribute);
        Json.putNumber(node, key, value instanceof Double number ? number : Double.NaN);
    }
}
