package dev.cairn.dashboard.document;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.checkpoint.save.SaveCost;
import dev.cairn.dashboard.points.Millis;
import dev.cairn.dashboard.run.Records.Snapshot;
import dev.cairn.store.DamagedException;
import dev.cairn.store.log.LogRecord.Commit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The checkpoints that a run has now, the newest first, and what a restore of the newest one reads.
public final class CheckpointsDocument {
    private static final List<String> SCORES = List.of("accuracy", "rmse", "loss");

    private CheckpointsDocument() {}

    /// Returns some of the newest checkpoints.
    ///
    /// @param most how many of the newest are listed
    /// @param skipped how many of the newest are left out before them
    public static ObjectNode of(Snapshot records, int skipped, int most) {
        ObjectNode document = Numbers.object()
                .put("count", records.checkpoints().size())
                .put("unreadable", records.unreadable())
                .put("storedBytes", records.storedBytes())
                .put(
                        "fullBytes",
                        records.checkpoints().stream()
                                .mapToLong(Commit::fullBytes)
                                .sum())
                .put("keep", records.keep().orElse(null))
                .put("skipped", skipped);
        Set<Long> removed = new HashSet<>();
        Set<Long> needed = new HashSet<>();
        records.plan().ifPresent(plan -> {
            plan.removed().forEach(checkpoint -> removed.add(checkpoint.number()));
            needed.addAll(plan.needed());
        });
        document.put("toRemove", removed.size());
        ArrayNode rows = document.putArray("rows");
        records.checkpoints().reversed().stream().skip(skipped).limit(most).forEach(checkpoint -> {
            ObjectNode row = row(checkpoint);
            row.put("leaves", removed.contains(checkpoint.number()));
            row.put("parentOnly", needed.contains(checkpoint.number()));
            rows.add(row);
        });
        records.newest().ifPresent(newest -> document.set("restore", restore(records, newest)));
        return document;
    }

    static ObjectNode row(Commit checkpoint) {
        ObjectNode row = Numbers.object()
                .put("number", checkpoint.number())
                .put("id", checkpoint.id())
                .put("step", checkpoint.step())
                .put("t", Millis.of(checkpoint.time()) / 1e3)
                .put("kind", checkpoint.kind())
                .put("codec", checkpoint.codec())
                .put("bytes", checkpoint.storedBytes())
                .put("fullBytes", checkpoint.fullBytes());
        for (String score : SCORES) {
            attribute(row, checkpoint, score, score);
        }
        attribute(row, checkpoint, SaveCost.STALL, "stallSeconds");
        attribute(row, checkpoint, SaveCost.SAVE, "saveSeconds");
        return row;
    }

    static void attribute(ObjectNode row, Commit checkpoint, String name, String key) {
        Object value = checkpoint.attributes().asMap().get(name);
        if (value instanceof Double number) {
            Numbers.put(row, key, number);
        }
    }

    /// The chain that a restore reads, the base first.
    static ObjectNode restore(Snapshot records, Commit checkpoint) {
        ObjectNode restore = Numbers.object().put("step", checkpoint.step());
        ArrayNode chain = restore.putArray("chain");
        try {
            List<Commit> links = records.history().chain(checkpoint);
            for (Commit link : links) {
                chain.addObject()
                        .put("number", link.number())
                        .put("step", link.step())
                        .put("kind", link.kind())
                        .put("bytes", link.storedBytes());
            }
            restore.put("bytes", links.stream().mapToLong(Commit::storedBytes).sum())
                    .put(
                            "files",
                            links.stream()
                                    .mapToInt(link -> link.segments().size())
                                    .sum());
        } catch (DamagedException broken) {
            restore.put("problem", broken.getMessage());
        }
        return restore;
    }
}
