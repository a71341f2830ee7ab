package dev.cairn.store.writing;

import dev.cairn.store.blob.BlobStore.BlobWriter;
import dev.cairn.store.check.Soundness;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.LogRecord.Pruned;
import dev.cairn.store.log.RecordAppender;
import dev.cairn.store.log.Twins;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The removals of one writer: a plan, its record, then the files. No record of a save or merge comes in between.
final class Pruning {
    private final CheckpointStore store;
    private final RecordAppender records;
    private final Twins twins;
    private final OwnSegments own;
    /// The files of this run that were found damaged.
    private final Set<String> damaged = ConcurrentHashMap.newKeySet();

    /// The second check of checkpoints that a start skipped: each once, however often it is pruned.
    private final Soundness secondLook;

    Pruning(CheckpointStore store, RecordAppender records, Twins twins, OwnSegments own) {
        this.store = store;
        this.records = records;
        this.twins = twins;
        this.own = own;
        this.secondLook = StoreVerifier.soundness(store, Depth.CHECKSUMS);
    }

    /// See [CheckpointWriter#prune(Set, Instant)].
    List<Commit> prune(Set<Long> wanted, Instant time) throws IOException {
        synchronized (records) {
            records.settle();
            return carryOut(PrunePlan.of(store.history(), wanted, StoreVerifier.soundness(store, Depth.FAST)), time);
        }
    }

    /// See [CheckpointWriter#prune(Retention, int, Instant)].
    List<Commit> prune(Retention retention, int least, Instant time) throws IOException {
        synchronized (records) {
            records.settle();
            PrunePlan plan = PrunePlan.of(
                    store.history(),
                    retention,
                    time,
                    StoreVerifier.soundness(store, Depth.FAST),
                    this::isDamaged,
                    secondLook);
            return plan.removed().size() < least ? List.of() : carryOut(plan, time);
        }
    }

    /// See [CheckpointWriter#prune(PrunePlan, Instant)].
    void prune(PrunePlan plan, Instant time) throws IOException {
        synchronized (records) {
            carryOut(plan, time);
        }
    }

    /// See [CheckpointWriter#foundDamaged].
    void foundDamaged(String file) {
        damaged.add(file);
    }

    private boolean isDamaged(Commit checkpoint) {
        return !damaged.isEmpty() && checkpoint.files().stream().anyMatch(damaged::contains);
    }

    /// Leftovers are removed first: on a full disk this frees the space for a record.
    private List<Commit> carryOut(PrunePlan plan, Instant time) throws IOException {
        removeNeedless();
        if (plan.removed().isEmpty()) {
            return List.of();
        }
        records.appendPlain(
                number -> new Pruned(number, time.truncatedTo(ChronoUnit.MILLIS), plan.since(), plan.kept()));
        removeNeedless();
        return plan.removed();
    }

    /// Removes the leftovers of interrupted merges and removals.
    void removeNeedless() throws IOException {
        synchronized (records) {
            records.settle(); // A record that appears late needs its segments.
            Removal.run(store, store.history(), twins, own::mayRemove);
            own.forgetRemoved();
        }
    }

    /// See [CheckpointWriter#giveUpTwins].
    void giveUpTwins(PrunePlan plan) throws IOException {
        var numbers = new ArrayList<>(plan.needed());
        plan.removed().forEach(checkpoint -> numbers.add(checkpoint.number()));
        synchronized (records) {
            records.checkRight();
            Removal.ofTwins(store, numbers, twins);
        }
    }

    /// See [CheckpointWriter#putInPlace].
    boolean putInPlace(String file, BlobWriter anew) throws IOException {
        synchronized (records) {
            records.checkRight();
            try {
                store.blobs().read(file).close();
            } catch (NoSuchFileException removed) {
                return false;
            }
            anew.finish();
            return true;
        }
    }
}
