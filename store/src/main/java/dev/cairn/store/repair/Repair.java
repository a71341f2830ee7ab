package dev.cairn.store.repair;

import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.Guard;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.repair.RepairPlan.Lost;
import dev.cairn.store.repair.RepairPlan.Rerooted;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.store.writing.Merger;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// Makes a damaged run whole: what is damaged, and what cannot be restored without it, goes into
/// quarantine; what can be restored all the same stands alone afterwards. Nothing is lost that could be
/// read before.
///
/// The order is the proof, wherever it is cut off:
/// 1. Copies of all that will go are made, durably. Nothing of the run has changed; only what was never a part of it
///    goes at once: folders in the place of files, and files of numbers that no writer ever came to.
/// 2. What is to stand alone is stored anew, by records of the log; what it was read from is there still.
/// 3. One record says which checkpoints are left. From here on the run is whole, and the other files mean nothing.
/// 4. Those files are removed: segments, then records.
///
/// A repair that was cut off before the third step is simply done again, into another folder.
public final class Repair {
    private final CheckpointStore store;
    private final BlobStore blobs;

    private Repair(CheckpointStore store) {
        this.store = store;
        this.blobs = store.blobs();
    }

    /// What is to be done; reads every checkpoint and changes nothing.
    ///
    /// @throws NewerFormatException where a later version of Cairn has written into the run
    public static RepairPlan plan(CheckpointStore store) throws IOException {
        return RepairPlanner.plan(store);
    }

    /// What was done.
    ///
    /// @param folder where the files are, relative to the run; empty where there was nothing to do
    public record Done(RepairPlan plan, String folder) {}

    /// Plans anew and does it, unless there is nothing to do or nothing would be left.
    ///
    /// @param right to write there, held by the caller
    public static Done run(CheckpointStore store, Guard right, Instant now) throws IOException {
        RepairPlan plan = plan(store);
        if (plan.isNothing() || plan.leavesNothing()) {
            return new Done(plan, "");
        }
        return new Done(plan, new Repair(store).carryOut(plan, right, now));
    }

    private String carryOut(RepairPlan plan, Guard right, Instant now) throws IOException {
        Quarantine quarantine = Quarantine.open(blobs, now);
        quarantine.take(plan.quarantined(), reasons(plan));
        right.check();
        for (String stray : plan.strays()) {
            blobs.delete(stray);
        }
        CheckpointWriter writer = CheckpointWriter.openAmongLeftovers(store, right);
        var merger = new Merger(store, writer);
        var kept = new HashSet<>(plan.kept());
        for (Rerooted rerooted : plan.rerooted()) {
            Commit alone = merger.standAlone(rerooted.chain());
            kept.remove(rerooted.checkpoint().number());
            if (alone.position() > plan.since()) {
                kept.add(alone.number());
            }
        }
        if (changesTheRun(plan)) {
            writer.keepOnly(plan.since(), kept.stream().sorted().toList(), now);
        }
        right.check();
        for (String file : plan.quarantined()) {
            blobs.delete(file);
        }
        writer.removeNeedless();
        return quarantine.folder();
    }

    /// Records of before the last fresh start mean nothing to the run as it is: they are just moved.
    private static boolean changesTheRun(RepairPlan plan) {
        return plan.lost().stream().anyMatch(lost -> lost.number() > plan.since())
                || plan.reverted().stream().anyMatch(form -> form.number() > plan.since());
    }

    private static List<String> reasons(RepairPlan plan) {
        var lines = new ArrayList<String>();
        plan.damaged().forEach(file -> lines.add("damaged: " + file.file() + ": " + file.reason()));
        for (Lost lost : plan.lost()) {
            String step = lost.step().isPresent() ? "step " + lost.step().getAsLong() : "unknown step";
            lines.add("lost: %s, %s: %s".formatted(step, RunFiles.record(lost.number()), lost.reason()));
        }
        return lines;
    }
}
