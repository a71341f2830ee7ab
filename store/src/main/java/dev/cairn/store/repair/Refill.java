package dev.cairn.store.repair;

import dev.cairn.store.check.Soundness;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.log.Guard;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.writing.CheckpointWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Takes checkpoints whole from the copy of a run, because files of them are missing in the run, or are damaged beyond
/// what heals. Each gets a new record that replaces the old one, so it may be interrupted at any operation and
/// repeated.
public final class Refill {
    private final CheckpointStore run;
    private final CheckpointStore copy;
    private final List<Pair> pairs = new ArrayList<>();

    /// A checkpoint that is not sound in the run, and its sound form in the copy.
    private record Pair(Commit here, Commit there) {}

    private Refill(CheckpointStore run, CheckpointStore copy) throws IOException {
        this.run = run;
        this.copy = copy;
        Soundness here = StoreVerifier.soundness(run, Depth.CHECKSUMS);
        Soundness there = StoreVerifier.soundness(copy, Depth.CHECKSUMS);
        Map<String, Commit> copied = new HashMap<>();
        for (Commit checkpoint : run.history().currentCheckpoints()) {
            if (!here.isSound(checkpoint)) {
                if (copied.isEmpty()) { // The copy is read only if something is lost.
                    copy.history().currentCheckpoints().forEach(each -> copied.put(each.id(), each));
                }
                Commit other = copied.get(checkpoint.id());
                // Another parent means that one of the two was merged since.
                if (other != null && Objects.equals(other.parent(), checkpoint.parent()) && there.isSound(other)) {
                    pairs.add(new Pair(checkpoint, other));
                }
            }
        }
    }

    /// The checkpoints that the copy can give, oldest first. Changes nothing.
    public static List<Commit> find(CheckpointStore run, CheckpointStore copy) throws IOException {
        return new Refill(run, copy).pairs.stream().map(Pair::here).toList();
    }

    /// Takes them from the copy.
    ///
    /// @param right the right to write to the run, held by the caller
    /// @return the checkpoints as the run has them now, oldest first
    public static List<Commit> run(CheckpointStore run, CheckpointStore copy, Guard right) throws IOException {
        return new Refill(run, copy).carryOut(right);
    }

    private List<Commit> carryOut(Guard right) throws IOException {
        var taken = new ArrayList<Commit>();
        if (!pairs.isEmpty()) {
            CheckpointWriter writer = CheckpointWriter.openAmongLeftovers(run, right);
            for (Pair pair : pairs) {
                taken.add(writer.adopt(copy, pair.there(), pair.here()));
            }
            writer.removeNeedless();
        }
        return taken;
    }
}
