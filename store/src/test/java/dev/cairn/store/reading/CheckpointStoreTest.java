package dev.cairn.store.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.CommitConflictException;
import dev.cairn.store.Damage;
import dev.cairn.store.DamagedException;
import dev.cairn.store.Extent;
import dev.cairn.store.Role;
import dev.cairn.store.Samples;
import dev.cairn.store.StoreFullException;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.FaultyBlobStore;
import dev.cairn.store.blob.FaultyBlobStore.Fault;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.LogRecord;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.Manifest;
import dev.cairn.store.segment.Contents;
import dev.cairn.store.segment.Staged;
import dev.cairn.store.segment.TensorRef;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.store.writing.CheckpointWriter.Description;
import dev.cairn.store.writing.Merger;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

public class CheckpointStoreTest {
    @TempDir
    Path folder;

    private LocalBlobStore blobs;
    private CheckpointStore store;

    @SuppressWarnings("NullAway.Init")
    CheckpointStoreTest() {}

    @BeforeEach
    void open() {
        blobs = new LocalBlobStore(folder);
        store = new CheckpointStore(blobs);
    }

    @Test
    void readsBackWhatWasCommittedBitForBit() throws IOException {
        Commit committed = Samples.commit(CheckpointWriter.open(store, () -> {}), 10);
        assertThat(checkpoints(store)).containsExactly(committed);
        assertThat(Samples.matches(store, committed)).isTrue();
        assertThat(committed.fullBytes()).isEqualTo(5 * 7 * 4 + 33 + 8);
    }

    @Test
    void keepsTensorsOfManyBlocks() throws IOException {
        Samples.Tensor large = Samples.tensor("large", ElementType.UINT8, List.of(1_000_003L), Role.WEIGHT, 1);
        Commit committed =
                Samples.commit(CheckpointWriter.open(store, () -> {}), Samples.description(1), List.of(large));
        MemorySegment bytes = MemorySegment.ofArray(new byte[1_000_003]);
        try (CheckpointReader reader = store.open(committed)) {
            reader.read(reader.manifest().tensors().getFirst().spec(), bytes);
        }
        assertThat(bytes.mismatch(large.bytes())).isEqualTo(-1);
    }

    @Test
    void theHighestNumberIsNewestWhateverStepAndClockSay() throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        Samples.commit(
                writer,
                new Description(500, Samples.TIME.plusSeconds(100), null, "full", Attributes.empty()),
                Samples.tensors(1));
        Samples.commit(
                writer, new Description(300, Samples.TIME, null, "full", Attributes.empty()), Samples.tensors(2));
        Samples.commit(
                writer, new Description(300, Samples.TIME, null, "full", Attributes.empty()), Samples.tensors(3));
        assertThat(checkpoints(store)).extracting(Commit::number).containsExactly(1L, 2L, 3L);
        assertThat(checkpoints(store)).extracting(Commit::step).containsExactly(500L, 300L, 300L);
    }

    @Test
    void aSecondWriterCollidesAndReplacesNothing() throws IOException {
        CheckpointWriter stale = CheckpointWriter.open(store, () -> {});
        Samples.commit(CheckpointWriter.open(store, () -> {}), 20);
        assertThatThrownBy(() -> Samples.commit(stale, 10)).isInstanceOf(CommitConflictException.class);
        assertThatThrownBy(() -> Samples.commit(stale, 11)).isInstanceOf(CommitConflictException.class);
        assertThat(checkpoints(store)).extracting(Commit::step).containsExactly(20L);
        assertThat(store.leftovers()).isEmpty();
    }

    @Test
    void aFreshStartHidesWhatWasBeforeAndRemovesNothing() throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        Commit old = Samples.commit(writer, 10);
        writer.commitFreshStart(Samples.TIME);
        assertThat(store.currentEntries()).isEmpty();
        Samples.commit(writer, 1);
        assertThat(checkpoints(store)).extracting(Commit::step).containsExactly(1L);
        assertThat(Samples.matches(store, old)).isTrue();
        assertThat(StoreVerifier.verify(store, StoreVerifier.Depth.FULL, c -> {})
                        .checkpoints())
                .isEqualTo(2);
    }

    @Test
    void whatIsStagedIsRemovedByTheNextWriterOnceARecordHasItsNumber() throws IOException {
        Samples.commit(CheckpointWriter.open(store, () -> {}), 10);
        Path torn = folder.resolve("segments/0000000002-rank1-00000000000000ab.seg");
        Files.write(torn, new byte[100]);
        assertThat(store.history().leftovers()).isEmpty();
        assertThat(store.leftovers()).containsExactly("segments/0000000002-rank1-00000000000000ab.seg");
        CheckpointWriter.open(store, () -> {});
        assertThat(torn).doesNotExist();
        assertThat(store.log().read(2)).isInstanceOf(LogRecord.TakenOver.class);
        assertThat(checkpoints(store)).hasSize(1);
        assertThat(Samples.commit(CheckpointWriter.open(store, () -> {}), 11).number())
                .isEqualTo(3);
    }

    @Test
    void aCheckpointIsOneRecordOverTheSegmentsOfManyWriters() throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        var parts = new ArrayList<Samples.Tensor>();
        var staged = new ArrayList<Staged>();
        for (int rank = 0; rank < 3; rank++) {
            var spec = new TensorSpec(
                    "weight",
                    ElementType.FLOAT32,
                    List.of(2L, 7L),
                    Role.WEIGHT,
                    new Extent(List.of(6L, 7L), List.of(2L * rank, 0L)));
            var part =
                    new Samples.Tensor(spec, MemorySegment.ofArray(new byte[56]).fill((byte) (rank + 1)));
            parts.add(part);
            staged.add(writer.stage("rank" + rank, new Contents(List.of(part))));
        }
        // Another record takes the number in the meantime: the segments get the number of their own record.
        writer.commitFreshStart(Samples.TIME);
        Commit checkpoint = writer.commit(Samples.description(1), staged);
        assertThat(checkpoint.number()).isEqualTo(2);
        assertThat(checkpoint.segmentNames())
                .allMatch(name -> name.startsWith("segments/0000000002-rank"))
                .hasSize(3);
        try (CheckpointReader reader = store.open(checkpoint)) {
            for (Samples.Tensor part : parts) {
                MemorySegment values = MemorySegment.ofArray(new byte[56]);
                reader.read(part.spec(), values);
                assertThat(values.mismatch(part.bytes())).isEqualTo(-1);
            }
        }
        assertThat(StoreVerifier.verify(store, StoreVerifier.Depth.FULL, _ -> {})
                        .ok())
                .isTrue();
        assertThat(store.leftovers()).isEmpty();
        Commit alone = new Merger(store, writer).standAlone(List.of(checkpoint));
        assertThat(alone.digest()).isEqualTo(checkpoint.digest());
        assertThat(alone.segmentNames())
                .allMatch(name -> name.startsWith("segments/0000000003-rank"))
                .hasSize(3);
    }

    @Test
    void whatWasStagedAndDiscardedLeavesNothing() throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        Staged staged = writer.stage("main", new Contents(Samples.tensors(1)));
        assertThat(checkpoints(store)).isEmpty();
        writer.discard(List.of(staged));
        assertThat(store.leftovers()).isEmpty();
        assertThat(Samples.commit(writer, 1).number()).isEqualTo(1);
    }

    @Test
    void segmentsOfAnUnreadableRecordStay() throws IOException {
        Commit checkpoint = Samples.commit(CheckpointWriter.open(store, () -> {}), 10);
        Files.write(folder.resolve("log/0000000001.rec"), new byte[100]);
        CheckpointWriter.open(store, () -> {});
        assertThat(folder.resolve(checkpoint.segments().getFirst().name())).exists();
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void everyOperationMayFailAndEveryCommitIsWholeOrAbsent(Fault fault) throws IOException {
        boolean reachedTheEnd = false;
        for (int failAt = 1; !reachedTheEnd; failAt++) {
            Path run = folder.resolve(fault + "-" + failAt);
            var local = new LocalBlobStore(run);
            var faulty = new FaultyBlobStore(local, fault, failAt);
            CheckpointWriter writer = CheckpointWriter.open(new CheckpointStore(faulty), () -> {});
            var promised = new ArrayList<Long>();
            for (long step = 1; step <= 3; step++) {
                try {
                    Samples.commit(writer, step);
                    promised.add(step);
                } catch (IOException injected) {
                    assertThat(injected).hasMessageContaining("injected");
                }
            }
            reachedTheEnd = !faulty.faultHappened();
            assertThat(promised).hasSizeGreaterThanOrEqualTo(2);
            var reopened = new CheckpointStore(local);
            CheckpointWriter.open(reopened, () -> {});
            List<Commit> found = checkpoints(reopened);
            assertThat(found).extracting(Commit::step).containsAll(promised);
            for (Commit checkpoint : found) {
                assertThat(Samples.matches(reopened, checkpoint)).isTrue();
            }
            assertThat(StoreVerifier.verify(reopened, StoreVerifier.Depth.FULL, c -> {})
                            .ok())
                    .isTrue();
            assertThat(reopened.leftovers()).isEmpty();
        }
    }

    @Test
    void refusesWhatWouldNotFit() throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        assertThatThrownBy(() -> writer.checkRoom(1L << 60))
                .isInstanceOf(StoreFullException.class)
                .hasMessageContaining("not enough space");
    }

    @Test
    void refusesAHostileRecordThatPointsElsewhere() throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        Commit good = Samples.commit(writer, 1);
        TensorRef ref = store.manifest(good).tensors().getFirst();
        for (var hostile : List.of(
                new TensorRef(ref.spec(), "raw", 7, 0, 1, OptionalDouble.empty()),
                new TensorRef(ref.spec(), "raw", 0, 1_000_000, 1, OptionalDouble.empty()))) {
            var manifest = new Manifest(good, List.of(hostile));
            try (CheckpointReader reader = CheckpointReader.open(store.segments(), List.of(manifest))) {
                MemorySegment target = MemorySegment.ofArray(new byte[140]);
                assertThatThrownBy(() -> reader.read(ref.spec(), target)).isInstanceOf(DamagedException.class);
            }
        }
    }

    @Test
    void aLostRecordIsDamageAndItsSegmentsStay() throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        for (long step = 1; step <= 4; step++) {
            Samples.commit(writer, step);
        }
        Damage.loseRecord(folder, 3);
        Damage.loseRecord(folder, 4);
        assertThat(store.leftovers()).isEmpty();
        assertThat(StoreVerifier.verify(store, StoreVerifier.Depth.FAST, c -> {})
                        .damaged())
                .extracting(StoreVerifier.DamagedFile::file)
                .containsExactly("log/0000000003.rec", "log/0000000004.rec");
        Samples.commit(CheckpointWriter.open(store, () -> {}), 5);
        assertThat(checkpoints(store)).extracting(Commit::number).containsExactly(1L, 2L, 5L);
        try (var segments = Files.list(folder.resolve("segments"))) {
            assertThat(segments).hasSize(5);
        }
    }

    @Test
    void aLostLogIsNotTakenForANewRun() throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        Samples.commit(writer, 1);
        Samples.commit(writer, 2);
        Damage.loseRecord(folder, 1);
        Damage.loseRecord(folder, 2);
        CheckpointWriter.open(store, () -> {});
        assertThat(store.currentEntries()).hasSize(2).allMatch(Entry.Unreadable.class::isInstance);
    }

    @Test
    void aChainWithoutItsParentIsBroken() throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        Commit base = Samples.commit(writer, 1);
        var wrongId = new LogRecord.Parent("00000000000000aa", base.digest());
        var wrongValues = new LogRecord.Parent(base.id(), "00");
        for (LogRecord.Parent parent : List.of(wrongId, wrongValues)) {
            Commit delta = Samples.commit(
                    writer,
                    new Description(2, Samples.TIME, parent, "lossless", Attributes.empty()),
                    Samples.tensors(2));
            assertThatThrownBy(() -> store.open(delta))
                    .isInstanceOf(DamagedException.class)
                    .hasMessageContaining("chain broken");
        }
    }

    public static List<Commit> checkpoints(CheckpointStore store) throws IOException {
        var checkpoints = new ArrayList<Commit>();
        for (Entry entry : store.currentEntries()) {
            if (entry instanceof Entry.Intact(Commit checkpoint)) {
                checkpoints.add(checkpoint);
            }
        }
        return checkpoints;
    }
}
