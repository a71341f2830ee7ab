package dev.cairn.store.check;

import dev.cairn.store.DamagedException;
import dev.cairn.store.HealedDamage;
import dev.cairn.store.StoreException;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.check.StoreVerifier.DamagedFile;
import dev.cairn.store.check.StoreVerifier.DamagedFile.Kind;
import dev.cairn.store.log.History;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Compares the two places of every record. What one of them lost heals, because the other one has it. A record
/// without a twin is no damage: the twin is written after the commit.
final class TwinCheck {
    private TwinCheck() {}

    /// The damaged records and twins of this history. Numbers of which both places are damaged are not included.
    static List<DamagedFile> of(CheckpointStore store, History history) throws IOException {
        var damaged = new ArrayList<DamagedFile>();
        history.healedRecords()
                .values()
                .forEach(damage -> damaged.add(DamagedFile.of(new HealedDamage(damage, "its twin"))));
        for (long number : history.withTwin()) {
            try {
                store.log().twinDamage(number).map(TwinCheck::healable).ifPresent(damaged::add);
            } catch (StoreException newer) {
                damaged.add(new DamagedFile(
                        RunFiles.twin(number), String.valueOf(newer.getMessage()), Kind.CHECKPOINT, true));
            }
        }
        return damaged;
    }

    private static DamagedFile healable(DamagedException damage) {
        return new DamagedFile(damage.file(), damage.reason(), Kind.CHECKPOINT, true);
    }
}
