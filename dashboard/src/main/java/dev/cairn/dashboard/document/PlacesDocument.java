package dev.cairn.dashboard.document;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.dashboard.points.Curve;
import dev.cairn.dashboard.points.Thinning;
import dev.cairn.dashboard.run.Records.Snapshot;
import dev.cairn.dashboard.run.RunView;
import dev.cairn.dashboard.run.WatchedRun;
import dev.cairn.dashboard.story.SpaceUse;
import dev.cairn.store.log.LogRecord.Commit;
import java.io.IOException;
import java.util.List;

/// The space that runs take: now, over time, and what retention removes next.
public final class PlacesDocument {
    private static final int COLUMNS = 200;
    private static final int MOST_REMOVED = 100;

    private PlacesDocument() {}

    /// A row for each run.
    public static ObjectNode of(List<WatchedRun> runs) {
        ObjectNode document = Numbers.object();
        ArrayNode rows = document.putArray("runs");
        for (WatchedRun run : runs) {
            rows.add(row(run));
        }
        return document;
    }

    private static ObjectNode row(WatchedRun run) {
        RunView view = run.view();
        ObjectNode row = RunDocument.outline(view);
        Curve space = SpaceUse.of(view.story());
        row.set("space", Numbers.curve(Thinning.of(space, Thinning.whole(space, COLUMNS))));
        try {
            Snapshot records = run.records().now();
            row.put("storedBytes", records.storedBytes())
                    .put("checkpoints", records.checkpoints().size())
                    .put("usableBytes", run.records().usableBytes())
                    .put("keep", records.keep().orElse(null));
            records.plan().ifPresent(plan -> {
                row.put("neededCount", plan.needed().size());
                row.put("removedCount", plan.removed().size());
                row.put(
                        "removedBytes",
                        plan.removed().stream().mapToLong(Commit::storedBytes).sum());
                ArrayNode removed = row.putArray("removed");
                plan.removed().stream()
                        .limit(MOST_REMOVED)
                        .forEach(checkpoint -> removed.addObject()
                                .put("step", checkpoint.step())
                                .put("bytes", checkpoint.storedBytes()));
            });
        } catch (IOException | RuntimeException unreadable) {
            row.put("trouble", String.valueOf(unreadable.getMessage()));
        }
        return row;
    }
}
