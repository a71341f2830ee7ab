package dev.cairn.app.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Prose;
import dev.cairn.app.text.Quantities;
import dev.cairn.app.text.Table;
import dev.cairn.plan.time.Alternative;
import dev.cairn.plan.time.CompletionTime;
import dev.cairn.plan.time.FailureLaw;
import dev.cairn.plan.time.Job;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The results of `cairn plan`, for people and for scripts.
///
/// @param law null if no mean time between failures was given
/// @param alternatives the optimum first; empty without a law
/// @param chosen the number of saves that the user asked for, or the best one
/// @param failures the number of failures in the worst case
/// @param failAfter the time from a save to the one failure; null if the user did not ask for one
record PlanReport(
        Job job,
        @Nullable FailureLaw law,
        List<Alternative> alternatives,
        CompletionTime chosen,
        CompletionTime best,
        long failures,
        @Nullable Double failAfter) {
    PlanReport {
        alternatives = List.copyOf(alternatives);
    }

    ObjectNode json() {
        ObjectNode document = Json.object()
                .put("count", chosen.saves())
                .put("intervalSeconds", chosen.interval())
                .put("expectedIntervalSeconds", chosen.expectedInterval())
                .put("noFailureSeconds", chosen.withoutFailure());
        Json.putNumber(
                document, "oneFailureSeconds", failAfter == null ? Double.NaN : chosen.withOneFailure(failAfter));
        document.put("worstCaseSeconds", chosen.worstCase(failures))
                .put("repaidOverheadSeconds", chosen.repaidOverhead(failures))
                .put("bestCount", best.saves())
                .put("bestIntervalSeconds", best.interval());
        Json.putNumber(document, "expectedSeconds", expected());
        var list = document.putArray("alternatives");
        for (Alternative each : alternatives) {
            ObjectNode node = list.addObject().put("name", each.name()).put("intervalSeconds", each.interval());
            Json.putNumber(node, "expectedSeconds", each.expected());
        }
        return document;
    }

    /// The expected time with the chosen number of saves; NaN without a law.
    private double expected() {
        return alternatives.isEmpty()
                ? Double.NaN
                : alternatives.stream()
                        .filter(each -> each.name().equals("yours"))
                        .findFirst()
                        .orElse(alternatives.getFirst())
                        .expected();
    }

    void print(PrintWriter out, int columns) {
        if (law != null) {
            printExpectation(out, columns, law);
        } else {
            worstCase().forEach(line -> say(out, columns, line));
        }
        if (failAfter != null) {
            say(
                    out,
                    columns,
                    "with one failure, %s after a save: %s"
                            .formatted(
                                    Quantities.exactSeconds(failAfter),
                                    Quantities.exactSeconds(chosen.withOneFailure(failAfter))));
        }
    }

    private static void say(PrintWriter out, int columns, String line) {
        Prose.lines("", line, columns).forEach(out::println);
    }

    private List<String> worstCase() {
        return List.of(
                "%s, one every %s of work (every %s with the save itself)"
                        .formatted(
                                Quantities.count(chosen.saves(), "save"),
                                Quantities.exactSeconds(chosen.interval()),
                                Quantities.exactSeconds(chosen.expectedInterval())),
                "without a failure: " + Quantities.exactSeconds(chosen.withoutFailure()),
                "worst case with %s: %s, and up to %s for repeated saves"
                        .formatted(
                                Quantities.count(failures, "failure"),
                                Quantities.exactSeconds(chosen.worstCase(failures)),
                                Quantities.exactSeconds(chosen.repaidOverhead(failures))),
                String.format(
                        Locale.ROOT,
                        "best for this case: %s (the formula gives %.2f), one every %s: %s",
                        Quantities.count(best.saves(), "save"),
                        CompletionTime.idealSaves(job, failures),
                        Quantities.exactSeconds(best.interval()),
                        Quantities.exactSeconds(best.worstCase(failures))));
    }

    private void printExpectation(PrintWriter out, int columns, FailureLaw failureLaw) {
        Alternative optimum = alternatives.getFirst();
        say(
                out,
                columns,
                "work %s, a failure every %s on average;"
                        .formatted(Quantities.seconds(job.work()), Quantities.seconds(failureLaw.mean())));
        say(
                out,
                columns,
                "a save blocks the run for %s and can be restored after %s"
                        .formatted(Quantities.seconds(job.overhead()), Quantities.seconds(job.latency())));
        out.println();
        table(optimum).lines(columns).forEach(out::println);
        if (alternatives.stream().anyMatch(Alternative::raised)) {
            out.println("+ raised, because saves would overlap");
        }
        out.println();
        out.print(new PlanCurve(job, failureLaw, alternatives).text(columns));
        out.println();
        say(
                out,
                columns,
                "best: save every %s of work; expected time %s, %s more than the work alone"
                        .formatted(
                                Quantities.seconds(optimum.interval()),
                                time(optimum.expected()),
                                Quantities.percent(optimum.expected() / job.work() - 1)));
    }

    private Table table(Alternative optimum) {
        Table table = Table.columns()
                .word("rule")
                .figure("interval")
                .spare("saves")
                .spare("expected")
                .figure("worse by")
                .word("")
                .build();
        for (Alternative each : alternatives) {
            table.add(
                    each.name(),
                    Quantities.seconds(each.interval()),
                    CompletionTime.every(job, each.interval()).saves(),
                    time(each.expected()),
                    worse(each, optimum),
                    each.raised() ? "+" : "");
        }
        return table;
    }

    private static String time(double seconds) {
        return seconds > 1e15 ? "never" : Quantities.seconds(seconds); // thirty million years
    }

    private static String worse(Alternative each, Alternative optimum) {
        double share = each.expected() / optimum.expected() - 1;
        // The search stops a little beside the optimum, so a formula may be better by a rounding error.
        return each.equals(optimum) ? "–" : share < 1e6 ? Quantities.percent(Math.max(0, share)) : "never ends";
    }
}
