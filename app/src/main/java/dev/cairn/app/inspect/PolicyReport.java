package dev.cairn.app.inspect;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Prose;
import dev.cairn.checkpoint.save.SaveHistory;
import dev.cairn.plan.auto.Decision;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The save intervals that a run chose or would have chosen, with the reasons, as recorded in its checkpoints.
final class PolicyReport {
    /// A decision, and the first checkpoint that was saved by it.
    private record Chosen(Commit checkpoint, SaveHistory history) {}

    private final List<Chosen> chosen = new ArrayList<>();

    PolicyReport(History history) {
        for (Entry entry : history.current()) {
            if (entry instanceof Entry.Intact(Commit checkpoint)) {
                SaveHistory.read(checkpoint.attributes())
                        .filter(found ->
                                chosen.isEmpty() || isAnother(chosen.getLast().history(), found))
                        .ifPresent(found -> chosen.add(new Chosen(checkpoint, found)));
            }
        }
    }

    private static boolean isAnother(SaveHistory before, SaveHistory after) {
        return !before.decision().equals(after.decision()) || before.followed() != after.followed();
    }

    void print(PrintWriter out, boolean json) {
        if (json) {
            printJson(out);
            return;
        }
        if (chosen.isEmpty()) {
            out.println("no checkpoint records an interval: no training saved them");
        }
        for (Chosen each : chosen) {
            Prose.print(
                    out,
                    "step %d: ".formatted(each.checkpoint().step()),
                    (each.history().followed() ? "" : "--every set another interval; auto would save ")
                            + each.history().decision().text());
        }
    }

    private void printJson(PrintWriter out) {
        ObjectNode document = Json.object();
        ArrayNode list = document.putArray("decisions");
        for (Chosen each : chosen) {
            Decision decision = each.history().decision();
            ObjectNode node = list.addObject()
                    .put("step", each.checkpoint().step())
                    .put("time", each.checkpoint().time().toString())
                    .put("intervalSeconds", decision.interval());
            Json.putNumber(node, "overheadSeconds", decision.overhead());
            Json.putNumber(node, "latencySeconds", decision.latency());
            node.put("mtbfSeconds", decision.meanTimeBetweenFailures())
                    .put("failures", decision.failures())
                    .put("limit", decision.limit().name().toLowerCase(Locale.ROOT))
                    .put("change", decision.change().name().toLowerCase(Locale.ROOT))
                    .put("followed", each.history().followed())
                    .put("reason", decision.text());
        }
        Json.print(out, document);
    }
}
