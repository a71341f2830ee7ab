package dev.cairn.dashboard.document;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.dashboard.points.Curve;
import dev.cairn.dashboard.points.Thinning;
import dev.cairn.dashboard.run.RunView;
import dev.cairn.dashboard.run.WatchedRun;
import dev.cairn.dashboard.story.Save;
import dev.cairn.dashboard.story.Story;
import dev.cairn.dashboard.story.Stretch;
import java.util.List;

/// A row for each run.
public final class RunsDocument {
    private static final int SPARKLINE = 40;

    private RunsDocument() {}

    /// The rows, in the order of the runs.
    public static ObjectNode of(List<WatchedRun> runs) {
        ObjectNode document = Numbers.object();
        ArrayNode rows = document.putArray("runs");
        for (WatchedRun run : runs) {
            RunView view = run.view();
            ObjectNode row = RunDocument.outline(view);
            row.put("read", run.isRead());
            row.put("trouble", run.trouble().orElse(null));
            put(row, view);
            rows.add(row);
        }
        return document;
    }

    private static void put(ObjectNode row, RunView view) {
        Story story = view.story();
        List<Save> saves = story.saves();
        if (!saves.isEmpty()) {
            row.put("lastSave", saves.getLast().time() / 1e3);
            row.put("lastSaveStep", saves.getLast().step());
        }
        row.put("saves", saves.size());
        row.put(
                "failures",
                story.failures(view.isAlive(), view.now().toEpochMilli()).size());
        row.put("now", view.now().toEpochMilli() / 1e3);
        Object workload = story.settings().get("workload");
        row.put("workload", workload instanceof String text ? text : "");
        ArrayNode spark = row.putArray("spark");
        story.processes().stream().findFirst().ifPresent(process -> {
            Curve curve = sparkline(story.losses(process));
            for (int i = 0; i < curve.size(); i++) {
                if (Float.isFinite(curve.value(i))) {
                    spark.addArray().add(curve.step(i)).add(curve.value(i));
                }
            }
        });
    }

    /// The loss by step, without what was made again.
    private static Curve sparkline(List<Stretch> stretches) {
        var whole = new Curve();
        for (Stretch stretch : stretches) {
            Curve thin = Thinning.of(
                    stretch.loss(), Thinning.whole(stretch.loss(), SPARKLINE), step -> step <= stretch.limit());
            for (int i = 0; i < thin.size(); i++) {
                whole.add(thin.step(i), thin.step(i), thin.value(i));
            }
        }
        return Thinning.of(whole, Thinning.whole(whole, SPARKLINE));
    }
}
