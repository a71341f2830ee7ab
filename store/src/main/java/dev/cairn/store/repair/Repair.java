package dev.cairn.store.repair;

import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.Guard;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.repair.RepairPlan.Lost;
import dev.cairn.store.repair.RepairPlan.Rerooted;
import dev.cairn.store.scrub.SegmentRewrite;
import dev.cairn.store.segment.SegmentRef;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.store.writing.Merger;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Repairs a damaged run. Damaged files, and checkpoints that cannot be restored without them, are moved to
/// quarantine. Checkpoints that can still be restored are rewritten as full checkpoints. Nothing is lost that could
/// be read before.
///
/// The order makes an interruption at any point safe:
/// 1. All files that will be removed, and all records and twins that will be rewritten, are copied durably. Nothing of
///    the run has changed yet. Only entries that were never part of it are removed at once: folders in the place of
///    files, and files with numbers that no writer ever reached.
/// 2. A record that is damaged in one of its two places is rewritten there from the other one. Checkpoints that lost a
///    parent are rewritten as full checkpoints, with records in the log. Their sources still exist. Segments that can
///    heal themselves are replaced in one operation by what they first were, bit for bit; nobody needs a copy of their
///    damaged bytes.
/// 3. One record says which checkpoints are left. From now on the run is intact, and the other files have no meaning.
/// 4. Those files are removed: twins of records first, then segments, then records.
///
/// A repair that was interrupted before the third step is simply repeated, into another folder.
public final class Repair {
    private final CheckpointStore store;
    private final BlobStore blobs;

    private Repair(CheckpointStore store) {
        this.store = store;
        this.blobs = store.blobs();
    }

    /// Plans a repair. Reads every checkpoint and changes nothing.
    ///
    /// @throws NewerFormatException if a later version of Cairn has written to the run
    public static RepairPlan plan(CheckpointStore store) throws IOException {
        return RepairPlanner.plan(store);
    }

    /// The result of a repair.
    ///
    /// @param folder the folder with the files, relative to the run; empty if there was nothing to do
    public record Done(RepairPlan plan, String folder) {}

    /// Makes a new plan and carries it out, unless there is nothing to do or no checkpoint would be left.
    ///
    /// @param right the right to write to the run, held by the caller
    public static Done run(CheckpointStore store, Guard right, Instant now) throws IOException {
        RepairPlan plan = plan(store);
        if (plan.isNothing() || plan.leavesNothing()) {
            return new Done(plan, "");
        }
        return new Done(plan, new Repair(store).carryOut(plan, right, now));
    }

    private String carryOut(RepairPlan plan, Guard right, Instant now) throws IOException {
        Quarantine quarantine = Quarantine.open(blobs, now);
        var taken = new ArrayList<>(plan.quarantined());
        Set<String> there = Set.copyOf(blobs.list(RunFiles.LOG));
        plan.rewritten().stream().filter(there::contains).forEach(taken::add);
        quarantine.take(taken, reasons(plan));
        right.check();
        for (String stray : plan.strays()) {
            blobs.delete(stray);
        }
        CheckpointWriter writer = CheckpointWriter.openAmongLeftovers(store, right);
        for (String file : plan.rewritten()) {
            writer.healRecord(Math.max(RunFiles.recordNumber(file), RunFiles.twinNumber(file)));
        }
        var merger = new Merger(store, writer);
        var kept = new HashSet<>(plan.kept());
        for (Rerooted rerooted : plan.rerooted()) {
            Commit alone = merger.standAlone(rerooted.chain());
            kept.remove(rerooted.checkpoint().number());
            if (alone.position() > plan.since()) {
                kept.add(alone.number());
            }
        }
        for (Commit checkpoint : plan.healed()) {
            rewrite(checkpoint, writer);
        }
        if (changesTheRun(plan)) {
            writer.keepOnly(plan.since(), kept.stream().sorted().toList(), now);
        }
        right.check();
        for (String file : plan.quarantined()) {
            blobs.delete(file);
        }
        writer.removeNeedless();
        writer.tryWriteTwins();
        return quarantine.folder();
    }

    private void rewrite(Commit checkpoint, CheckpointWriter writer) throws IOException {
        for (SegmentRef segment : checkpoint.segments()) {
            Optional<SegmentRewrite> damaged = SegmentRewrite.find(store.segments(), segment, _ -> {});
            if (damaged.isPresent()) {
                writer.checkRoom(segment.sizeBytes());
                damaged.get().run(writer);
            }
        }
    }

    /// Records before the last fresh start have no meaning for the present run: they are only moved.
    private static boolean changesTheRun(RepairPlan plan) {
        return plan.lost().stream().anyMatch(lost -> lost.number() > plan.since())
                || plan.replaced().stream().anyMatch(number -> number > plan.since())
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
