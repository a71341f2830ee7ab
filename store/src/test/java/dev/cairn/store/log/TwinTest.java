package dev.cairn.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.store.CommitConflictException;
import dev.cairn.store.Damage;
import dev.cairn.store.DamagedException;
import dev.cairn.store.Samples;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.FaultyBlobStore;
import dev.cairn.store.blob.FaultyBlobStore.Fault;
import dev.cairn.store.blob.ForwardingBlobStore;
import dev.cairn.store.blob.HookedBlobStore;
import dev.cairn.store.blob.LateBlobStore;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.DamagedFile;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.log.Guard.TakeOver;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.LogRecord.TakenOver;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.reading.CheckpointStoreTest;
import dev.cairn.store.repair.Repair;
import dev.cairn.store.segment.Contents;
import dev.cairn.store.writing.CheckpointWriter;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The second place of records: it follows the commit, it heals the first place, and nothing that was pruned or taken
/// over comes back by it.
class TwinTest {
    private final MemoryBlobStore blobs = new MemoryBlobStore();
    private final CheckpointStore store = new CheckpointStore(blobs);

    @Test
    void everyKindOfRecordHasATwinWithTheSameBytes() throws IOException {
        everyKindOfRecord();
        Set<String> types = new HashSet<>();
        for (String name : List.copyOf(blobs.blobs.keySet())) {
            long number = RunFiles.recordNumber(name);
            if (number >= 0) {
                assertThat(bytes(RunFiles.twin(number))).as(name).isEqualTo(bytes(name));
                types.add(store.log().read(number).getClass().getSimpleName());
            }
        }
        assertThat(types).containsExactlyInAnyOrder("Commit", "FreshStart", "Pruned", "TakenOver");
        assertThat(StoreVerifier.verify(store, Depth.FULL, _ -> {}).ok()).isTrue();
        assertThat(store.foreignFiles()).isEmpty();
    }

    @Test
    void aRecordOfAnyKindHealsWhateverBecameOfIt() throws IOException {
        everyKindOfRecord();
        Map<String, byte[]> good = Map.copyOf(blobs.blobs);
        List<Entry> before = store.entries();
        for (String record : good.keySet()) {
            long number = RunFiles.recordNumber(record);
            if (number < 0) {
                continue;
            }
            for (byte[] bad : List.of(new byte[0], new byte[100], flipped(record))) {
                blobs.blobs.put(record, bad);
                assertHeals(good, before, record);
            }
            blobs.blobs.remove(record);
            assertHeals(good, before, record);
        }
    }

    private void assertHeals(Map<String, byte[]> good, List<Entry> before, String record) throws IOException {
        assertThat(store.entries()).as(record).isEqualTo(before);
        assertThat(store.history().healedRecords().values())
                .as(record)
                .extracting(DamagedException::file)
                .containsExactly(record);
        assertThat(StoreVerifier.verify(store, Depth.FULL, _ -> {}).damaged())
                .as(record)
                .allMatch(DamagedFile::healable)
                .extracting(DamagedFile::file)
                .containsExactly(record);
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        assertThat(writer.healed()).extracting(DamagedException::file).containsExactly(record);
        assertThat(blobs.blobs).as(record).containsExactlyInAnyOrderEntriesOf(good);
    }

    @Test
    void aDamagedTwinIsNamedAndWrittenAnewWhenAsked() throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        Samples.commit(writer, 1);
        byte[] good = bytes(RunFiles.twin(1));
        blobs.blobs.put(RunFiles.twin(1), flipped(RunFiles.twin(1)));
        assertThat(StoreVerifier.verify(store, Depth.CHECKSUMS, _ -> {}).damaged())
                .allMatch(DamagedFile::healable)
                .extracting(DamagedFile::file)
                .containsExactly(RunFiles.twin(1));
        assertThat(writer.healRecord(1)).map(DamagedException::file).contains(RunFiles.twin(1));
        assertThat(bytes(RunFiles.twin(1))).isEqualTo(good);
        assertThat(writer.healRecord(1)).isEmpty();
    }

    /// Such as of a copied run that was trained on its own.
    @Test
    void aTwinOfAnotherRunNeverReplacesTheRecord() throws IOException {
        Samples.commit(CheckpointWriter.open(store, () -> {}), 1);
        var elsewhere = new MemoryBlobStore();
        elsewhere.blobs.putAll(blobs.blobs);
        CheckpointWriter here = CheckpointWriter.open(store, () -> {});
        Samples.commit(here, 2);
        here.writeTwins();
        CheckpointWriter there = CheckpointWriter.open(new CheckpointStore(elsewhere), () -> {});
        Samples.commit(there, 3);
        there.writeTwins();
        Map<String, byte[]> good = Map.copyOf(blobs.blobs);
        String twin = RunFiles.twin(2);
        blobs.blobs.put(twin, Objects.requireNonNull(elsewhere.blobs.get(twin)));
        assertThat(StoreVerifier.verify(store, Depth.FULL, _ -> {}).damaged())
                .extracting(DamagedFile::file)
                .containsExactly(twin);
        Repair.run(store, () -> {}, Instant.EPOCH);
        assertThat(blobs.blobs).containsAllEntriesOf(good);
    }

    /// Creating the record is the commit. Its twin comes later, and may fail.
    @Test
    void aCommitNeedsNoTwinAndTheNextWriterMakesUpForIt() throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        Commit made = writer.commit(
                Samples.description(1), List.of(writer.stage(Samples.WRITER, new Contents(Samples.tensors(1)))));
        assertThat(blobs.blobs).doesNotContainKey(RunFiles.twin(1));
        assertThat(Samples.matches(store, made)).isTrue();
        assertThat(StoreVerifier.verify(store, Depth.FULL, _ -> {}).ok()).isTrue();
        CheckpointWriter next = CheckpointWriter.open(store, () -> {});
        next.writeTwins();
        assertThat(bytes(RunFiles.twin(1))).isEqualTo(bytes(RunFiles.record(1)));
    }

    /// A power cut may undo removals, in any order.
    @Test
    void aTwinThatIsBackAfterItsRecordWasPrunedChangesNothing() throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        Samples.commit(writer, 1);
        Samples.commit(writer, 2);
        Map<String, byte[]> before = Map.copyOf(blobs.blobs);
        writer.prune(Set.of(2L), Samples.TIME);
        List<Entry> pruned = store.entries();
        Map<String, byte[]> after = Map.copyOf(blobs.blobs);
        assertThat(blobs.blobs).doesNotContainKeys(RunFiles.record(1), RunFiles.twin(1));
        for (String back : before.keySet()) {
            if (!after.containsKey(back)) {
                blobs.blobs.put(back, Objects.requireNonNull(before.get(back)));
                assertThat(store.entries()).as(back).isEqualTo(pruned);
                assertThat(store.leftovers()).as(back).contains(back);
                CheckpointWriter.open(store, () -> {});
                assertThat(blobs.blobs).as(back).containsExactlyInAnyOrderEntriesOf(after);
            }
        }
        for (int more = 3; more <= 6; more++) { // the record of the pruning is pruned, too
            Samples.commit(writer, more);
            writer.prune(Set.of(), Samples.TIME);
        }
        pruned = store.entries();
        blobs.blobs.put(RunFiles.twin(1), Objects.requireNonNull(before.get(RunFiles.twin(1))));
        assertThat(store.entries()).isEqualTo(pruned);
    }

    enum Removed {
        BY_PRUNING,
        BY_MERGING
    }

    /// The twin goes first: at no moment of a removal is there a twin without its record.
    @ParameterizedTest
    @EnumSource(Removed.class)
    void aRemovalThatIsKilledAnywhereBringsNothingBack(Removed how) throws IOException {
        CheckpointWriter first = CheckpointWriter.open(store, () -> {});
        for (int step = 1; step <= 3; step++) {
            Samples.commit(first, step);
        }
        Map<String, byte[]> before = Map.copyOf(blobs.blobs);
        int kills = 0;
        for (int at = 1; ; at++) {
            blobs.blobs.clear();
            blobs.blobs.putAll(before);
            FaultyBlobStore dying = FaultyBlobStore.killedAt(blobs, at);
            try {
                var run = new CheckpointStore(dying);
                CheckpointWriter writer = CheckpointWriter.open(run, () -> {});
                switch (how) {
                    case BY_PRUNING -> writer.prune(Set.of(3L), Samples.TIME);
                    case BY_MERGING -> replaceFirst(run, writer);
                }
            } catch (IOException killed) {
                kills++;
            }
            if (!dying.faultHappened()) {
                break;
            }
            for (String name : blobs.blobs.keySet()) {
                long twin = RunFiles.twinNumber(name);
                assertThat(twin < 0 || blobs.blobs.containsKey(RunFiles.record(twin)))
                        .as("%s at %d: %s has its record", how, at, name)
                        .isTrue();
            }
            List<Entry> left = store.entries();
            CheckpointWriter.open(store, () -> {}).writeTwins();
            assertThat(store.entries()).as("%s at %d", how, at).hasSameSizeAs(left);
            assertThat(store.leftovers()).as("%s at %d", how, at).isEmpty();
            assertThat(StoreVerifier.verify(store, Depth.FULL, _ -> {}).damaged())
                    .as("%s at %d", how, at)
                    .isEmpty();
        }
        assertThat(kills).isGreaterThan(5);
    }

    private static void replaceFirst(CheckpointStore run, CheckpointWriter writer) throws IOException {
        Commit first = run.history().currentCheckpoints().getFirst();
        writer.adopt(run, first, first);
        writer.removeNeedless();
    }

    /// Healing removes the damaged place before it creates it again. Whatever fails, the other place has the record.
    @ParameterizedTest
    @ValueSource(strings = {"before", "after", "killed"})
    void healingThatIsCutOffAnywhereLosesNothing(String fault) throws IOException {
        CheckpointWriter first = CheckpointWriter.open(store, () -> {});
        for (int step = 1; step <= 3; step++) {
            Samples.commit(first, step);
        }
        Map<String, byte[]> good = Map.copyOf(blobs.blobs);
        List<Entry> entries = store.entries();
        blobs.blobs.put(RunFiles.record(2), new byte[50]);
        blobs.blobs.remove(RunFiles.record(3));
        blobs.blobs.put(RunFiles.twin(1), new byte[50]);
        Map<String, byte[]> damaged = Map.copyOf(blobs.blobs);
        int faults = 0;
        for (int at = 1; ; at++) {
            blobs.blobs.clear();
            blobs.blobs.putAll(damaged);
            FaultyBlobStore faulty = switch (fault) {
                case "before" -> new FaultyBlobStore(blobs, Fault.BEFORE, at);
                case "after" -> new FaultyBlobStore(blobs, Fault.AFTER, at);
                default -> FaultyBlobStore.killedAt(blobs, at);
            };
            try {
                healAll(new CheckpointStore(faulty));
            } catch (IOException injected) {
                assertThat(faulty.faultHappened()).as("%s at %d", fault, at).isTrue();
            }
            if (!faulty.faultHappened()) {
                break;
            }
            faults++;
            assertThat(store.entries()).as("%s at %d", fault, at).isEqualTo(entries);
            healAll(store);
            assertThat(blobs.blobs).as("%s at %d", fault, at).containsExactlyInAnyOrderEntriesOf(good);
        }
        assertThat(faults).as("two removals and three creations").isEqualTo(5);
    }

    private static void healAll(CheckpointStore run) throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(run, () -> {});
        for (long number = 1; number <= 3; number++) {
            writer.healRecord(number);
        }
    }

    /// The record of the takeover is lost, so its number looks free to the writer that was taken over.
    @Test
    void aNumberWhoseRecordIsLostIsStillTaken() throws IOException {
        CheckpointWriter stale = CheckpointWriter.open(store, () -> {});
        Samples.commit(stale, 1);
        CheckpointWriter.open(store, takingOver()).writeTwins();
        byte[] takeover = bytes(RunFiles.record(2));
        blobs.blobs.remove(RunFiles.record(2));
        assertThatThrownBy(() -> Samples.commit(stale, 2)).isInstanceOf(CommitConflictException.class);
        assertThat(bytes(RunFiles.record(2))).as("the takeover is back").isEqualTo(takeover);
        assertThat(store.log().read(2)).isInstanceOf(TakenOver.class);
        assertThat(CheckpointStoreTest.checkpoints(store)).hasSize(1);
        assertThat(blobs.blobs.keySet())
                .as("what was staged is removed")
                .noneMatch(name -> name.startsWith("segments/0000000002"));
    }

    /// A writer that is taken over between its commit and the twin of it, and wakes up when the record was pruned.
    @Test
    void aLateTwinOfATakenOverWriterBringsNothingBack() throws IOException {
        int stops = 0;
        for (int operation = 1; ; operation++) {
            blobs.blobs.clear();
            var hooked = new HookedBlobStore(blobs, operation, () -> {
                CheckpointWriter next = CheckpointWriter.open(store, takingOver());
                Samples.commit(next, 100);
                Samples.commit(next, 101);
                next.prune(Set.of(), Samples.TIME);
            });
            CheckpointWriter stale = CheckpointWriter.open(new CheckpointStore(hooked), () -> {});
            if (hooked.hasStopped()) {
                continue;
            }
            try {
                Samples.commit(stale, 1);
                stale.writeTwins();
            } catch (IOException overtaken) { // or its segment is gone
                assertThat(hooked.hasStopped()).isTrue();
            }
            if (!hooked.hasStopped()) {
                break;
            }
            stops++;
            assertThat(store.entries())
                    .as("stopped at %d", operation)
                    .map(entry -> ((Entry.Intact) entry).checkpoint().step())
                    .containsExactly(101L);
            CheckpointWriter.open(store, () -> {});
            assertThat(store.leftovers()).as("stopped at %d", operation).isEmpty();
        }
        assertThat(stops).isGreaterThan(10);
    }

    /// A request that was given up may arrive when the record was pruned.
    @Test
    void aTwinThatArrivesLateBringsNothingBack() throws IOException {
        var late = new LateBlobStore(blobs);
        var run = new CheckpointStore(late);
        CheckpointWriter writer = CheckpointWriter.open(run, () -> {});
        writer.commit(Samples.description(1), List.of(writer.stage(Samples.WRITER, new Contents(Samples.tensors(1)))));
        late.cutOff(true);
        assertThatThrownBy(writer::writeTwins).isInstanceOf(IOException.class);
        late.cutOff(false);
        Samples.commit(writer, 2);
        writer.prune(Set.of(2L), Samples.TIME);
        List<Entry> entries = run.entries();
        late.deliver();
        assertThat(run.entries()).isEqualTo(entries);
        CheckpointWriter.open(run, () -> {});
        assertThat(run.leftovers()).isEmpty();
        assertThat(blobs.blobs).doesNotContainKey(RunFiles.twin(1));
    }

    @Test
    void aRecordThatDiffersFromItsTwinGivesWayToIt() throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        Samples.commit(writer, 1);
        byte[] committed = bytes(RunFiles.record(1));
        blobs.blobs.put(
                RunFiles.record(1), RecordFormat.write(new TakenOver(1, Samples.TIME, "process 1", "process 2")));
        assertThat(StoreVerifier.verify(store, Depth.CHECKSUMS, _ -> {}).damaged())
                .extracting(DamagedFile::file)
                .containsExactly(RunFiles.record(1));
        assertThat(writer.healRecord(1)).map(DamagedException::file).contains(RunFiles.record(1));
        assertThat(bytes(RunFiles.record(1))).isEqualTo(committed);
    }

    /// Such as a scrubbing and the next start, after a takeover.
    @Test
    void twoMayRewriteARecordAtOnce() throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        Samples.commit(writer, 1);
        byte[] good = bytes(RunFiles.record(1));
        for (byte[] other : List.of(good, new byte[40])) {
            blobs.blobs.put(RunFiles.record(1), new byte[30]);
            assertThat(new CommitLog(new Racing(blobs, other, 1)).heal(1))
                    .map(DamagedException::file)
                    .contains(RunFiles.record(1));
            assertThat(bytes(RunFiles.record(1))).isEqualTo(good);
        }
        blobs.blobs.put(RunFiles.record(1), new byte[30]);
        assertThatThrownBy(() -> new CommitLog(new Racing(blobs, new byte[40], 100)).heal(1))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(bytes(RunFiles.twin(1))).as("nothing is lost").isEqualTo(good);
    }

    /// Another process is faster at the first rewrites, and leaves these bytes.
    private static final class Racing extends ForwardingBlobStore {
        private final byte[] bytes;
        private int times;

        Racing(BlobStore below, byte[] bytes, int times) {
            super(below);
            this.bytes = bytes;
            this.times = times;
        }

        @Override
        public void createIfAbsent(String name, byte[] content) throws IOException {
            if (times-- > 0) {
                super.createIfAbsent(name, bytes);
            }
            super.createIfAbsent(name, content);
        }
    }

    @Test
    void aNumberOfWhichBothPlacesAreDamagedIsDamagedAndIsNotRewritten() throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        Samples.commit(writer, 1);
        Damage.record(blobs.blobs, 1, new byte[30]);
        assertThat(writer.healRecord(1)).isEmpty();
        assertThat(StoreVerifier.verify(store, Depth.FULL, _ -> {}).damaged())
                .singleElement()
                .satisfies(damage -> {
                    assertThat(damage.healable()).isFalse();
                    assertThat(damage.reason()).contains("its twin");
                });
        assertThat(CheckpointWriter.open(store, () -> {}).healed()).isEmpty();
        assertThat(blobs.blobs.get(RunFiles.record(1))).hasSize(30);
    }

    private void everyKindOfRecord() throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        Samples.commit(writer, 1);
        writer.commitFreshStart(Samples.TIME);
        Samples.commit(writer, 2);
        Samples.commit(writer, 3);
        writer.prune(Set.of(4L), Samples.TIME);
        CheckpointWriter next = CheckpointWriter.open(store, takingOver());
        Samples.commit(next, 4);
        next.writeTwins();
    }

    private static Guard takingOver() {
        return new Guard() {
            @Override
            public void check() {}

            @Override
            public Optional<TakeOver> takeOver() {
                return Optional.of(new TakeOver(Samples.TIME, "process 1", "process 2"));
            }
        };
    }

    private byte[] flipped(String file) {
        byte[] bytes = bytes(file).clone();
        bytes[bytes.length / 2] ^= 1;
        return bytes;
    }

    private byte[] bytes(String file) {
        return Objects.requireNonNull(blobs.blobs.get(file), file);
    }
}
