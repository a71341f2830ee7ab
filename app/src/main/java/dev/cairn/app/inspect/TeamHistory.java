package dev.cairn.app.inspect;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Prose;
import dev.cairn.app.text.Quantities;
import dev.cairn.app.text.Table;
import dev.cairn.observe.events.RecordedEvent;
import dev.cairn.observe.events.RunEvents;
import dev.cairn.store.blob.BlobStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/// What the workers of a run did, and how they recovered from failures, as its events tell.
final class TeamHistory {
    private static final List<String> SUMS =
            List.of("steps", "examples", "seconds", "waitSeconds", "sentBytes", "receivedBytes");

    private static final List<String> LAST = List.of("accuracy", "meanStaleness", "largestStaleness");

    private static final List<String> OF_FAILURES =
            List.of("worker", "cause", "detectedSeconds", "recoveredSeconds", "stepsLost", "source");

    /// The sums over all starts of the run that ended by themselves, by the name of the worker.
    private final Map<String, Map<String, Double>> workers = new TreeMap<>();

    private final List<RecordedEvent> failures = new ArrayList<>();

    private TeamHistory() {}

    static TeamHistory of(BlobStore run) throws IOException {
        var history = new TeamHistory();
        new RunEvents(run).all(history::add); // a failure whose steps were made again has happened, too
        return history;
    }

    private void add(RecordedEvent event) {
        switch (event.kind()) {
            case "worker" ->
                event.text("worker").ifPresent(name -> {
                    Map<String, Double> sums = workers.computeIfAbsent(name, _ -> new TreeMap<>());
                    for (String key : SUMS) {
                        event.number(key).ifPresent(more -> sums.merge(key, more, Double::sum));
                    }
                    for (String key : LAST) {
                        event.number(key).ifPresent(now -> sums.put(key, now));
                    }
                });
            case "recovered" -> failures.add(event);
            default -> {}
        }
    }

    void print(PrintWriter out, boolean json) {
        if (json) {
            Json.print(out, document());
        } else if (workers.isEmpty() && failures.isEmpty()) {
            Prose.print(out, "the events of this run tell of no workers: it was trained by one process, or was killed");
        } else {
            printWorkers(out);
            printFailures(out);
        }
        out.flush();
    }

    private void printWorkers(PrintWriter out) {
        Table table = Table.columns()
                .word("worker")
                .figure("steps")
                .figure("examples")
                .figure("trained")
                .figure("waited")
                .spare("sent")
                .spare("received")
                .spare("accuracy")
                .spare("staleness")
                .build();
        workers.forEach((name, sums) -> table.add(
                name,
                "%,d".formatted(whole(sums, "steps")),
                "%,d".formatted(whole(sums, "examples")),
                Quantities.seconds(sums.getOrDefault("seconds", 0.0)),
                Quantities.seconds(sums.getOrDefault("waitSeconds", 0.0)),
                bytes(sums, "sentBytes"),
                bytes(sums, "receivedBytes"),
                sums.containsKey("accuracy") ? "%.2f %%".formatted(100 * sums.get("accuracy")) : "–",
                sums.containsKey("meanStaleness") ? "%.1f".formatted(sums.get("meanStaleness")) : "–"));
        table.print(out);
    }

    private static long whole(Map<String, Double> sums, String key) {
        return sums.getOrDefault(key, 0.0).longValue();
    }

    private static String bytes(Map<String, Double> sums, String key) {
        return sums.containsKey(key) ? Quantities.bytes(whole(sums, key)) : "–";
    }

    private void printFailures(PrintWriter out) {
        out.println();
        if (failures.isEmpty()) {
            out.println("no worker died");
            return;
        }
        Table table = Table.columns()
                .figure("after step")
                .word("worker")
                .word("cause")
                .figure("noticed")
                .figure("recovered")
                .figure("steps lost")
                .word("from")
                .build();
        for (RecordedEvent failure : failures) {
            table.add(
                    "%,d".formatted(failure.step().orElse(0)),
                    failure.text("worker").orElse("?"),
                    failure.text("cause").orElse("?"),
                    seconds(failure.number("detectedSeconds")),
                    seconds(failure.number("recoveredSeconds")),
                    "%.0f".formatted(failure.number("stepsLost").orElse(0)),
                    failure.text("source").orElse("?"));
        }
        table.print(out);
    }

    private static String seconds(OptionalDouble seconds) {
        return seconds.isPresent() ? Quantities.seconds(seconds.getAsDouble()) : "–";
    }

    private ObjectNode document() {
        ObjectNode document = Json.object();
        ArrayNode each = document.putArray("perWorker");
        workers.forEach((name, sums) -> {
            ObjectNode worker = each.addObject().put("worker", name);
            for (String key : LAST) {
                Json.putNumber(worker, key, sums.getOrDefault(key, Double.NaN));
            }
            for (String key : SUMS) {
                if (!sums.containsKey(key)) {
                    worker.putNull(key);
                } else if (key.endsWith("econds")) {
                    worker.put(key, sums.get(key));
                } else {
                    worker.put(key, whole(sums, key));
                }
            }
        });
        ArrayNode deaths = document.putArray("failures");
        for (RecordedEvent failure : failures) {
            ObjectNode death = deaths.addObject()
                    .put("time", failure.time().toString())
                    .put("step", failure.step().orElse(0));
            for (String key : OF_FAILURES) {
                death.putPOJO(key, failure.values().get(key));
            }
        }
        return document;
    }
}
