package dev.cairn.store.repair;

import dev.cairn.store.check.Soundness;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.log.Guard;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.repair.LostRecords.Lost;
import dev.cairn.store.writing.CheckpointWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Takes checkpoints whole from the copy of a run, because files of them are missing in the run, or are damaged beyond
/// what heals. One whose record is lost gets a new record in its old place among the others. The others get a new
/// record that replaces the old one. So this may be interrupted at any operation and repeated.
public final class Refill {
    private final CheckpointStore run;
    private final CheckpointStore copy;
    private final List<Pair> pairs = new ArrayList<>();
    private final List<Lost> lost = new ArrayList<>();

    /// A checkpoint that is not sound in the run, and its sound form in the copy.
    private record Pair(Commit here, Commit there) {}

    private Refill(CheckpointStore run, CheckpointStore copy) throws IOException {
        this.run = run;
        this.copy = copy;
        Soundness here = StoreVerifier.soundness(run, Depth.CHECKSUMS);
        Soundness there = StoreVerifier.soundness(copy, Depth.CHECKSUMS);
        History own = run.history();
        var unsound = new ArrayList<Commit>();
        for (Commit checkpoint : own.currentCheckpoints()) {
            if (!here.isSound(checkpoint)) {
                unsound.add(checkpoint);
            }
        }
        if (unsound.isEmpty() && !LostRecords.mayBeIn(own)) {
            return; // The copy is read only if something is lost.
        }
        History other = copy.history();
        lost.addAll(LostRecords.find(own, other, there));
        Map<String, Commit> copied = new HashMap<>();
        other.currentCheckpoints().forEach(each -> copied.put(each.id(), each));
        for (Commit checkpoint : unsound) {
            Commit sound = copied.get(checkpoint.id());
            // Another parent means that one of the two was merged since.
            if (sound != null && Objects.equals(sound.parent(), checkpoint.parent()) && there.isSound(sound)) {
                pairs.add(new Pair(checkpoint, sound));
            }
        }
    }

    /// The checkpoints that the copy can give. Changes nothing.
    public static List<Commit> find(CheckpointStore run, CheckpointStore copy) throws IOException {
        var found = new ArrayList<Commit>();
        var refill = new Refill(run, copy);
        refill.lost.forEach(each -> found.add(each.there()));
        refill.pairs.forEach(each -> found.add(each.here()));
        return found;
    }

    /// Takes them from the copy.
    ///
    /// @param right the right to write to the run, held by the caller
    /// @return the checkpoints as the run has them now
    public static List<Commit> run(CheckpointStore run, CheckpointStore copy, Guard right) throws IOException {
        return new Refill(run, copy).carryOut(right);
    }

    private List<Commit> carryOut(Guard right) throws IOException {
        var taken = new ArrayList<Commit>();
        if (!pairs.isEmpty() || !lost.isEmpty()) {
            CheckpointWriter writer = CheckpointWriter.openAmongLeftovers(run, right);
            for (Lost each : lost) {
                taken.add(writer.adopt(copy, each.there(), each.position()));
            }
            for (Pair pair : pairs) {
                taken.add(writer.adopt(copy, pair.there(), pair.here()));
            }
            writer.removeNeedless();
        }
        return taken;
    }
}
