package dev.cairn.app.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Prose;
import dev.cairn.app.text.Quantities;
import dev.cairn.app.text.Table;
import dev.cairn.plan.simulation.Simulation.Result;
import dev.cairn.plan.simulation.Simulation.Setting;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/// The results of `cairn simulate`, for people and for scripts.
///
/// @param runs how often each policy was simulated
record SimulationReport(Setting setting, int runs, long seed, List<Result> results) {
    SimulationReport {
        results = List.copyOf(results);
    }

    ObjectNode json() {
        ObjectNode document = Json.object();
        var list = document.putArray("policies");
        for (Result result : results) {
            ObjectNode node = list.addObject()
                    .put("name", result.name())
                    .put("goodput", result.goodput())
                    .put("low", result.low())
                    .put("high", result.high())
                    .put("elapsedSeconds", result.elapsed())
                    .put("lostSeconds", result.lost())
                    .put("writtenBytes", result.bytes())
                    .put("failures", result.failures())
                    .put("saves", result.saves());
            Json.putNumber(node, "intervalSeconds", result.interval());
        }
        return document;
    }

    void print(PrintWriter out, int columns) {
        String what = "%,d nodes, a failure every %s; %s of work, simulated %d times with seed %d"
                .formatted(
                        setting.nodes(),
                        Quantities.seconds(setting.mean()),
                        Quantities.seconds(setting.work()),
                        runs,
                        seed);
        Prose.lines("", what, columns).forEach(out::println);
        out.println();
        table().lines(columns).forEach(out::println);
    }

    private Table table() {
        Table table = Table.columns()
                .word("policy")
                .figure("goodput")
                .spare("95 % confidence")
                .figure("elapsed")
                .spare("work lost")
                .extra("saves")
                .extra("written")
                .build();
        for (Result result : results) {
            table.add(
                    result.name(),
                    Quantities.percent(result.goodput()),
                    Quantities.percent(result.low()) + " – " + Quantities.percent(result.high()),
                    Quantities.seconds(result.elapsed()),
                    Quantities.seconds(result.lost()),
                    String.format(Locale.ROOT, "%.0f", result.saves()),
                    Quantities.bytes((long) result.bytes()));
        }
        return table;
    }
}
