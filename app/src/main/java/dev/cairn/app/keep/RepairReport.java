package dev.cairn.app.keep;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Prose;
import dev.cairn.app.text.Quantities;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.check.StoreVerifier.DamagedFile;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.repair.RepairPlan;
import dev.cairn.store.repair.RepairPlan.Lost;
import dev.cairn.store.repair.RepairPlan.Rerooted;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;

/// What a repair did, or would do, for people and for scripts.
///
/// @param taken the checkpoints that come whole from the copy
/// @param folder the quarantine folder, relative to the run; empty if nothing was changed
/// @param whole whether the run has no damage now
record RepairReport(RepairPlan plan, List<Commit> taken, String folder, boolean dryRun, boolean whole) {
    void print(PrintWriter out) {
        for (Commit checkpoint : taken) {
            out.printf("step %d %s whole from the copy%n", checkpoint.step(), dryRun ? "would be taken" : "was taken");
        }
        if (plan.isNothing()) {
            out.println(taken.isEmpty() ? "nothing is damaged, nothing was changed" : "nothing else is damaged");
            return;
        }
        if (dryRun && !taken.isEmpty()) {
            Prose.print(
                    out,
                    "what else is damaged is found when they are here: run 'cairn repair --dry-run' again then "
                            + "(--dry-run: nothing was changed)");
            return;
        }
        plan.damaged().forEach(file -> out.println("damaged: " + file.file() + ": " + file.reason()));
        if (plan.leavesNothing()) {
            Prose.print(
                    out,
                    "no checkpoint can be restored: nothing was changed; restore files from a copy, or start again "
                            + "from step 0 with 'cairn train --fresh'");
            return;
        }
        String would = dryRun ? "would be " : "";
        plan.rewritten().forEach(file -> out.println(would + "rewritten from its other place: " + file));
        rewrittenSegments().forEach(file -> out.println(would + "rewritten: " + file));
        for (Rerooted rerooted : plan.rerooted()) {
            out.printf(
                    "step %d can be restored in spite of damage: %srewritten as a full checkpoint%n",
                    rerooted.checkpoint().step(), would);
        }
        for (Commit form : plan.reverted()) {
            out.printf("step %d: its newer form is damaged, the earlier form %sused again%n", form.step(), would);
        }
        for (Lost lost : plan.lost()) {
            out.printf("lost: %s: %s%n", name(lost), lost.reason());
        }
        String where = dryRun ? RunFiles.QUARANTINE : folder;
        plan.quarantined().forEach(file -> out.println(would + "moved into " + where + ": " + file));
        Prose.print(out, summary());
    }

    /// The segments that heal.
    private List<String> rewrittenSegments() {
        return plan.damaged().stream()
                .filter(DamagedFile::healable)
                .map(DamagedFile::file)
                .filter(file -> file.startsWith(RunFiles.SEGMENTS)
                        && !plan.quarantined().contains(file))
                .toList();
    }

    private static String name(Lost lost) {
        return lost.step().isPresent()
                ? "step " + lost.step().getAsLong()
                : "a checkpoint of unknown step, or another record (number %d)".formatted(lost.number());
    }

    private String summary() {
        String lost = plan.lost().isEmpty()
                ? "no checkpoint is lost"
                : "lost: " + plan.lost().stream().map(RepairReport::shortName).collect(Collectors.joining(", "));
        String left = Quantities.count(plan.remaining(), "checkpoint") + " left";
        if (dryRun) {
            return "%s; %s (--dry-run: nothing was changed)".formatted(lost, left);
        }
        return "%s; %s; %s"
                .formatted(
                        lost,
                        left,
                        whole ? "the run is whole" : "something is still damaged: run 'cairn repair' again");
    }

    private static String shortName(Lost lost) {
        return lost.step().isPresent() ? "step " + lost.step().getAsLong() : "record " + lost.number();
    }

    ObjectNode json() {
        ObjectNode document = Json.object()
                .put("dryRun", dryRun)
                .put("ok", whole)
                .put("changed", !dryRun && !(folder.isEmpty() && taken.isEmpty()))
                .put("quarantine", folder.isEmpty() ? null : folder)
                .put("remaining", plan.remaining());
        var fetched = document.putArray("fetched");
        taken.forEach(each -> fetched.addObject().put("step", each.step()).put("id", each.id()));
        var damaged = document.putArray("damaged");
        plan.damaged()
                .forEach(file -> damaged.addObject().put("file", file.file()).put("reason", file.reason()));
        var lost = document.putArray("lost");
        for (Lost each : plan.lost()) {
            ObjectNode node = lost.addObject().put("number", each.number());
            if (each.step().isPresent()) {
                node.put("step", each.step().getAsLong());
            } else {
                node.putNull("step");
            }
            node.put("reason", each.reason());
        }
        var rerooted = document.putArray("rerooted");
        for (Rerooted each : plan.rerooted()) {
            rerooted.addObject()
                    .put("step", each.checkpoint().step())
                    .put("id", each.checkpoint().id());
        }
        var reverted = document.putArray("reverted");
        plan.reverted()
                .forEach(form -> reverted.addObject().put("step", form.step()).put("id", form.id()));
        var rewritten = document.putArray("rewritten");
        plan.rewritten().forEach(rewritten::add);
        rewrittenSegments().forEach(rewritten::add);
        plan.quarantined().forEach(document.putArray("files")::add);
        return document;
    }
}
