package dev.cairn.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.codec.ElementType;
import dev.cairn.store.CheckpointStore.Entry;
import dev.cairn.store.CheckpointWriter.Description;
import dev.cairn.store.FaultyBlobStore.Fault;
import dev.cairn.store.LogRecord.Checkpoint;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CheckpointStoreTest {
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
        Checkpoint committed = Samples.commit(store.writer(() -> {}), 10);
        assertThat(checkpoints(store)).containsExactly(committed);
        assertThat(Samples.matches(store, committed)).isTrue();
        assertThat(committed.fullBytes()).isEqualTo(5 * 7 * 4 + 33 + 8);
    }

    @Test
    void keepsTensorsOfManyBlocks() throws IOException {
        Samples.Tensor large = Samples.tensor("large", ElementType.UINT8, List.of(1_000_003L), Role.WEIGHT, 1);
        Checkpoint committed = store.writer(() -> {}).commit(Samples.description(1), List.of(large));
        MemorySegment bytes = MemorySegment.ofArray(new byte[1_000_003]);
        try (CheckpointReader reader = store.open(committed)) {
            reader.read(committed.tensors().getFirst().spec(), bytes);
        }
        assertThat(bytes.mismatch(large.bytes())).isEqualTo(-1);
    }

    @Test
    void theHighestNumberIsNewestWhateverStepAndClockSay() throws IOException {
        CheckpointWriter writer = store.writer(() -> {});
        writer.commit(
                new Description(500, Samples.TIME.plusSeconds(100), null, "full", Attributes.empty()),
                Samples.tensors(1));
        writer.commit(new Description(300, Samples.TIME, null, "full", Attributes.empty()), Samples.tensors(2));
        writer.commit(new Description(300, Samples.TIME, null, "full", Attributes.empty()), Samples.tensors(3));
        assertThat(checkpoints(store)).extracting(Checkpoint::number).containsExactly(1L, 2L, 3L);
        assertThat(checkpoints(store)).extracting(Checkpoint::step).containsExactly(500L, 300L, 300L);
    }

    @Test
    void aSecondWriterCollidesAndReplacesNothing() throws IOException {
        CheckpointWriter stale = store.writer(() -> {});
        Samples.commit(store.writer(() -> {}), 20);
        assertThatThrownBy(() -> Samples.commit(stale, 10)).isInstanceOf(CommitConflictException.class);
        assertThatThrownBy(() -> Samples.commit(stale, 11)).isInstanceOf(CommitConflictException.class);
        assertThat(checkpoints(store)).extracting(Checkpoint::step).containsExactly(20L);
        assertThat(store.leftovers()).isEmpty();
    }

    @Test
    void aFreshStartHidesWhatWasBeforeAndRemovesNothing() throws IOException {
        CheckpointWriter writer = store.writer(() -> {});
        Checkpoint old = Samples.commit(writer, 10);
        writer.commitFreshStart(Samples.TIME);
        assertThat(store.currentEntries()).isEmpty();
        Samples.commit(writer, 1);
        assertThat(checkpoints(store)).extracting(Checkpoint::step).containsExactly(1L);
        assertThat(Samples.matches(store, old)).isTrue();
        assertThat(StoreVerifier.verify(store, StoreVerifier.Depth.FULL, c -> {})
                        .checkpoints())
                .isEqualTo(2);
    }

    @Test
    void segmentsThatNoRecordNamesAreRemovedByTheNextWriter() throws IOException {
        Samples.commit(store.writer(() -> {}), 10);
        Path torn = folder.resolve("segments/0000000002-00000000000000ab.seg");
        Files.write(torn, new byte[100]);
        assertThat(store.leftovers()).containsExactly("segments/0000000002-00000000000000ab.seg");
        store.writer(() -> {});
        assertThat(torn).doesNotExist();
        assertThat(checkpoints(store)).hasSize(1);
    }

    @Test
    void segmentsOfAnUnreadableRecordStay() throws IOException {
        Checkpoint checkpoint = Samples.commit(store.writer(() -> {}), 10);
        Files.write(folder.resolve("log/0000000001.rec"), new byte[100]);
        store.writer(() -> {});
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
            CheckpointWriter writer = new CheckpointStore(faulty).writer(() -> {});
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
            reopened.writer(() -> {});
            List<Checkpoint> found = checkpoints(reopened);
            assertThat(found).extracting(Checkpoint::step).containsAll(promised);
            for (Checkpoint checkpoint : found) {
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
        CheckpointWriter writer = store.writer(() -> {});
        assertThatThrownBy(() -> writer.checkRoom(1L << 60))
                .isInstanceOf(StoreFullException.class)
                .hasMessageContaining("not enough space");
    }

    @Test
    void refusesAHostileRecordThatPointsElsewhere() throws IOException {
        CheckpointWriter writer = store.writer(() -> {});
        Checkpoint good = Samples.commit(writer, 1);
        var ref = good.tensors().getFirst();
        for (var hostile : List.of(
                new LogRecord.TensorRef(ref.spec(), "raw", 7, 0),
                new LogRecord.TensorRef(ref.spec(), "raw", 0, 1_000_000))) {
            var checkpoint = new Checkpoint(
                    2,
                    good.id(),
                    1,
                    Samples.TIME,
                    null,
                    "full",
                    good.digest(),
                    0,
                    Attributes.empty(),
                    good.segments(),
                    List.of(hostile));
            try (CheckpointReader reader = store.open(List.of(checkpoint))) {
                MemorySegment target = MemorySegment.ofArray(new byte[140]);
                assertThatThrownBy(() -> reader.read(ref.spec(), target)).isInstanceOf(DamagedException.class);
            }
        }
    }

    @Test
    void aLostRecordIsDamageAndItsSegmentsStay() throws IOException {
        CheckpointWriter writer = store.writer(() -> {});
        for (long step = 1; step <= 4; step++) {
            Samples.commit(writer, step);
        }
        Files.delete(folder.resolve("log/0000000003.rec"));
        Files.delete(folder.resolve("log/0000000004.rec"));
        assertThat(store.leftovers()).isEmpty();
        assertThat(StoreVerifier.verify(store, StoreVerifier.Depth.FAST, c -> {})
                        .damaged())
                .extracting(StoreVerifier.DamagedFile::file)
                .containsExactly("log/0000000003.rec", "log/0000000004.rec");
        Samples.commit(store.writer(() -> {}), 5);
        assertThat(checkpoints(store)).extracting(Checkpoint::number).containsExactly(1L, 2L, 5L);
        try (var segments = Files.list(folder.resolve("segments"))) {
            assertThat(segments).hasSize(5);
        }
    }

    @Test
    void aLostLogIsNotTakenForANewRun() throws IOException {
        CheckpointWriter writer = store.writer(() -> {});
        Samples.commit(writer, 1);
        Samples.commit(writer, 2);
        Files.delete(folder.resolve("log/0000000001.rec"));
        Files.delete(folder.resolve("log/0000000002.rec"));
        store.writer(() -> {});
        assertThat(store.currentEntries()).hasSize(2).allMatch(Entry.Unreadable.class::isInstance);
    }

    @Test
    void aChainWithoutItsParentIsBroken() throws IOException {
        CheckpointWriter writer = store.writer(() -> {});
        Checkpoint base = Samples.commit(writer, 1);
        var wrongId = new LogRecord.Parent("00000000000000aa", base.digest());
        var wrongValues = new LogRecord.Parent(base.id(), "00");
        for (LogRecord.Parent parent : List.of(wrongId, wrongValues)) {
            Checkpoint delta = writer.commit(
                    new Description(2, Samples.TIME, parent, "lossless", Attributes.empty()), Samples.tensors(2));
            assertThatThrownBy(() -> store.open(delta))
                    .isInstanceOf(DamagedException.class)
                    .hasMessageContaining("chain broken");
        }
    }

    static List<Checkpoint> checkpoints(CheckpointStore store) throws IOException {
        var checkpoints = new ArrayList<Checkpoint>();
        for (Entry entry : store.currentEntries()) {
            if (entry instanceof Entry.Intact(Checkpoint checkpoint)) {
                checkpoints.add(checkpoint);
            }
        }
        return checkpoints;
    }
}
