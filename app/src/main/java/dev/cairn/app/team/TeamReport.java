package dev.cairn.app.team;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Prose;
import dev.cairn.app.text.Quantities;
import dev.cairn.cluster.control.Failure;
import dev.cairn.cluster.control.OwnPace;
import dev.cairn.cluster.control.Tally;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What the workers of a training did, and how they recovered, for people and for scripts.
///
/// @param members the first is of rank 0
/// @param servers how many of the first members are parameter servers
public record TeamReport(List<Tally> members, List<Failure> failures, int servers) {
    private List<Tally> workers() {
        return members.subList(Math.min(servers, members.size()), members.size());
    }

    /// The name of the process of this rank.
    static String name(int rank, int servers) {
        return rank < servers ? "ps" + rank : "w" + (rank - servers);
    }

    /// Below the summary of the leader.
    public void print(PrintWriter out) {
        List<Tally> workers = workers();
        String head = "workers";
        for (int rank = 0; rank < workers.size(); rank++) {
            row(out, head, "w" + rank + "  ", did(workers.get(rank)));
            head = "";
        }
        head = "failures";
        for (Failure failure : failures) {
            row(out, head, name(failure.rank(), servers) + "  ", told(failure));
            head = "";
        }
        out.flush();
    }

    private static void row(PrintWriter out, String head, String name, String text) {
        Prose.print(out, "  %-11s  %s".formatted(head, name), text);
    }

    private static String did(Tally tally) {
        String traffic = tally.sentBytes() == null || tally.receivedBytes() == null
                ? ""
                : ", sent %s, received %s"
                        .formatted(Quantities.bytes(tally.sentBytes()), Quantities.bytes(tally.receivedBytes()));
        OwnPace pace = tally.ownPace();
        String age = pace.gradients() == 0
                ? ""
                : ", gradients %.1f updates old in the mean, %d at most".formatted(pace.meanAge(), pace.largestAge());
        return "%,d steps, %,d examples; waited %s of %s for the others%s%s"
                .formatted(
                        tally.steps(),
                        tally.examples(),
                        Quantities.seconds(tally.waitSeconds()),
                        Quantities.seconds(tally.teamSeconds()),
                        traffic,
                        age);
    }

    private String told(Failure failure) {
        String how = switch (failure.cause()) {
            case DIED -> "died";
            case SILENT -> "was silent";
            case DIFFERED -> "had another state than the others";
        };
        String from = switch (failure.source()) {
            case PEER -> servers > 0 ? "with the state of the server" : "from another worker";
            case CHECKPOINT -> "from the last checkpoint";
        };
        return "%s after step %,d; noticed within %s, recovered in %s %s; %s"
                .formatted(
                        how,
                        failure.step(),
                        Quantities.seconds(failure.detectedSeconds()),
                        Quantities.seconds(failure.recoveredSeconds()),
                        from,
                        failure.stepsLost() == 0
                                ? "no step lost"
                                : Quantities.count(failure.stepsLost(), "step") + " made again");
    }

    /// The leader's document, with what only the supervisor knows.
    public String json(String leaders) throws JsonProcessingException {
        ObjectNode document = Json.parse(leaders);
        List<Tally> workers = workers();
        ArrayNode each = document.putArray("perWorker");
        for (int rank = 0; rank < workers.size(); rank++) {
            put(each.addObject().put("rank", rank), workers.get(rank));
        }
        ArrayNode deaths = document.putArray("failures");
        for (Failure failure : failures) {
            deaths.addObject()
                    .put("who", name(failure.rank(), servers))
                    .put("cause", failure.cause().name().toLowerCase(Locale.ROOT))
                    .put("step", failure.step())
                    .put("detectedSeconds", failure.detectedSeconds())
                    .put("recoveredSeconds", failure.recoveredSeconds())
                    .put("stepsLost", failure.stepsLost())
                    .put("from", failure.source().name().toLowerCase(Locale.ROOT));
        }
        return Json.text(document) + System.lineSeparator();
    }

    private static void put(ObjectNode worker, Tally tally) {
        worker.put("steps", tally.steps()).put("examples", tally.examples());
        Json.putNumber(worker, "loss", tally.loss());
        worker.put("seconds", tally.teamSeconds()).put("waitSeconds", tally.waitSeconds());
        worker.put("dataSeconds", tally.dataSeconds()).put("saveSeconds", tally.saveSeconds());
        count(worker, "sentBytes", tally.sentBytes());
        count(worker, "receivedBytes", tally.receivedBytes());
        OwnPace pace = tally.ownPace();
        Json.putNumber(worker, "testLoss", pace.testLoss());
        Json.putNumber(worker, "accuracy", pace.accuracy());
        Json.putNumber(worker, "meanStaleness", pace.meanAge());
        worker.put("largestStaleness", pace.largestAge());
    }

    private static void count(ObjectNode worker, String key, @Nullable Long bytes) {
        worker.put(key, bytes);
    }
}
