package dev.cairn.app.inspect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Prose;
import dev.cairn.app.text.Quantities;
import dev.cairn.app.text.Table;
import dev.cairn.store.Clock;
import dev.cairn.store.log.LogRecord.Commit;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Several runs, one line each.
record RunsList(List<Line> lines) {
    private static final int LONGEST_CURVE = 12;

    RunsList {
        lines = List.copyOf(lines);
    }

    /// @param run the name that the user would give
    /// @param newest null if the run has no checkpoint with a readable record
    /// @param curve the losses of its checkpoints, drawn
    /// @param status of the newest checkpoint; `damaged` if any checkpoint is, `empty` if there is none
    record Line(String run, int checkpoints, @Nullable Commit newest, long bytes, String status, String curve) {}

    static Line line(String run, RunListing listing) {
        Commit newest = null;
        for (RunListing.Row row : listing.rows()) {
            newest = row.checkpoint() == null ? newest : row.checkpoint();
        }
        boolean damaged = listing.damaged() > 0;
        String status = listing.rows().isEmpty()
                ? "empty"
                : damaged ? "damaged" : listing.rows().getLast().statusText();
        return new Line(
                run, listing.rows().size(), newest, listing.storedBytes(), status, listing.lossCurve(LONGEST_CURVE));
    }

    void print(PrintWriter out) {
        boolean curves = lines.stream().anyMatch(line -> !line.curve().isEmpty());
        Table.Builder columns = Table.columns()
                .text("run", 12)
                .figure("checkpoints")
                .figure("newest step")
                .spare("age")
                .spare("size");
        Table table =
                (curves ? columns.spareWord("loss") : columns).word("status").build();
        Instant now = Clock.system().now();
        for (Line line : lines) {
            Commit newest = line.newest();
            var cells = new ArrayList<Object>(List.of(
                    line.run(),
                    line.checkpoints(),
                    newest == null ? "-" : newest.step(),
                    newest == null ? "-" : age(newest, now),
                    Quantities.bytes(line.bytes())));
            if (curves) {
                cells.add(line.curve().isEmpty() ? "-" : line.curve());
            }
            cells.add(line.status().equals("unknown") ? "not checked" : line.status());
            table.add(cells.toArray());
        }
        table.print(out);
        out.printf(
                "%s, %s%n",
                Quantities.count(lines.size(), "run"),
                Quantities.bytes(lines.stream().mapToLong(Line::bytes).sum()));
        long damaged =
                lines.stream().filter(line -> line.status().equals("damaged")).count();
        if (damaged > 0) {
            Prose.print(
                    out,
                    "%s damaged; see 'cairn verify RUN', then 'cairn repair RUN'"
                            .formatted(Quantities.count(damaged, "run")));
        }
    }

    /// The age by this machine's clock; never negative, whatever the writer's clock was.
    private static String age(Commit newest, Instant now) {
        long seconds = Math.max(0, Duration.between(newest.time(), now).toSeconds());
        long days = seconds / Duration.ofDays(1).toSeconds();
        if (days > 0) {
            return Quantities.count(days, "day");
        }
        return seconds < 60 ? seconds + " s" : Quantities.seconds((double) seconds);
    }

    ObjectNode json() {
        ObjectNode document = Json.object();
        var runs = document.putArray("runs");
        for (Line line : lines) {
            Commit newest = line.newest();
            ObjectNode node = runs.addObject().put("run", line.run()).put("checkpoints", line.checkpoints());
            if (newest == null) {
                node.putNull("step").putNull("time");
            } else {
                node.put("step", newest.step()).put("time", newest.time().toString());
            }
            node.put("bytes", line.bytes()).put("status", line.status());
        }
        return document;
    }
}
