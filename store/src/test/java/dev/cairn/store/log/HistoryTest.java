package dev.cairn.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.store.Damage;
import dev.cairn.store.DamagedException;
import dev.cairn.store.Samples;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.FaultyBlobStore;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.LogRecord.Parent;
import dev.cairn.store.log.LogRecord.Pruned;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.reading.CheckpointStoreTest;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.segment.Contents;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.store.writing.CheckpointWriter.Description;
import dev.cairn.store.writing.Merger;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HistoryTest {
    private final MemoryBlobStore blobs = new MemoryBlobStore();
    private final CheckpointStore store = new CheckpointStore(blobs);
    private CheckpointWriter writer;

    @SuppressWarnings("NullAway.Init") // open() runs first
    HistoryTest() {}

    @BeforeEach
    void open() throws IOException {
        writer = CheckpointWriter.open(store, () -> {});
    }

    private Commit commit(long step, @Nullable Commit parent) throws IOException {
        var description = new Description(
                step, Samples.TIME, parent == null ? null : Parent.of(parent), "full", Samples.attributes(step));
        return Samples.commit(writer, description, Samples.tensors(step));
    }

    /// base 1 ← 2 ← 3, base 4 ← 5.
    private List<Commit> twoChains() throws IOException {
        var made = new ArrayList<Commit>();
        made.add(commit(1, null));
        made.add(commit(2, made.get(0)));
        made.add(commit(3, made.get(1)));
        made.add(commit(4, null));
        made.add(commit(5, made.get(3)));
        return made;
    }

    private List<Long> steps() throws IOException {
        return CheckpointStoreTest.checkpoints(store).stream().map(Commit::step).toList();
    }

    /// `cairn ls` beside a training that merges and prunes.
    @Test
    void aRecordRemovedWhileTheLogIsReadIsNotTakenForALostOne() throws IOException {
        twoChains();
        var pruning = new AtomicBoolean(true);
        BlobStore changing = (BlobStore) Proxy.newProxyInstance(
                BlobStore.class.getClassLoader(), new Class<?>[] {BlobStore.class}, (_, method, arguments) -> {
                    if (method.getName().startsWith("read") && pruning.getAndSet(false)) {
                        writer.prune(Set.of(4L), Samples.TIME); // after the log was listed
                    }
                    try {
                        return method.invoke(blobs, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        assertThat(new CheckpointStore(changing).currentEntries())
                .allMatch(Entry.Intact.class::isInstance)
                .extracting(Entry::number)
                .containsExactly(4L, 5L);
    }

    @Test
    void pruningKeepsWhatIsWantedAndItsParents() throws IOException {
        twoChains();
        List<Commit> removed = writer.prune(Set.of(2L), Samples.TIME);
        assertThat(removed).extracting(Commit::step).containsExactly(3L);
        assertThat(steps()).containsExactly(1L, 2L, 4L, 5L);
        assertThat(store.leftovers()).isEmpty();
        assertThat(blobs.blobs.keySet().stream().filter(name -> name.startsWith("segments/")))
                .hasSize(4);
        assertThat(StoreVerifier.verify(store, StoreVerifier.Depth.FULL, c -> {})
                        .ok())
                .isTrue();
    }

    @Test
    void pruningNeverRemovesTheNewestNorWhatItNeeds() throws IOException {
        twoChains();
        writer.prune(Set.of(), Samples.TIME);
        assertThat(steps()).containsExactly(4L, 5L);
        for (Commit checkpoint : CheckpointStoreTest.checkpoints(store)) {
            assertThat(Samples.matches(store, checkpoint)).isTrue();
        }
    }

    @Test
    void pruningAgainLeavesOnePruneRecord() throws IOException {
        twoChains();
        writer.prune(Set.of(2L, 5L), Samples.TIME);
        commit(6, null);
        writer.prune(Set.of(5L), Samples.TIME);
        assertThat(steps()).containsExactly(4L, 5L, 6L);
        assertThat(CheckpointWriter.open(store, () -> {}).prune(Set.of(4L, 5L, 7L), Samples.TIME))
                .isEmpty();
        assertThat(blobs.blobs.keySet().stream().filter(name -> name.endsWith(".rec")))
                .hasSize(4);
    }

    @Test
    void whatAPruningThatWasCutOffLeftIsGoneFromTheRunAndThenFromTheDisk() throws IOException {
        twoChains();
        new CommitLog(blobs).append(new Pruned(6, Samples.TIME, 0, List.of(4L, 5L)));
        assertThat(steps()).containsExactly(4L, 5L);
        assertThat(store.leftovers()).hasSize(3 + 3 + 3);
        // A removal that came as far as one record of a number whose segments are gone already, and one the other way.
        blobs.delete("log/0000000001.rec");
        assertThat(StoreVerifier.verify(store, StoreVerifier.Depth.FULL, c -> {})
                        .ok())
                .isTrue();
        CheckpointWriter.open(store, () -> {});
        assertThat(store.leftovers()).isEmpty();
        assertThat(blobs.blobs.keySet().stream().filter(name -> name.startsWith("segments/")))
                .hasSize(2);
    }

    @Test
    void aPruningThatWouldEndWhatItKeepsNeedsIsDamagedAndEndsNothing() throws IOException {
        twoChains();
        new CommitLog(blobs).append(new Pruned(6, Samples.TIME, 0, List.of(5L)));
        assertThat(StoreVerifier.verify(store, StoreVerifier.Depth.FULL, c -> {})
                        .damaged())
                .extracting(StoreVerifier.DamagedFile::file)
                .containsExactly(RunFiles.record(6));
        assertThat(store.leftovers()).isEmpty();
        CheckpointWriter.open(store, () -> {});
        assertThat(CheckpointStoreTest.checkpoints(store))
                .extracting(Commit::number)
                .containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void aPruningThatKeepsNothingIsDamaged() throws IOException {
        twoChains();
        new CommitLog(blobs).append(new Pruned(6, Samples.TIME, 0, List.of()));
        assertThat(store.leftovers()).isEmpty();
        assertThat(store.currentEntries()).hasSize(6).last().isInstanceOf(Entry.Unreadable.class);
    }

    @Test
    void aRecordAfterWhichNoNumberIsLeftIsDamaged() throws IOException {
        twoChains();
        blobs.blobs.put("log/999999999999999.rec", new byte[100]);
        assertThat(StoreVerifier.verify(store, StoreVerifier.Depth.FAST, c -> {})
                        .damaged())
                .extracting(StoreVerifier.DamagedFile::reason)
                .containsExactly("it has the last possible number, so Cairn did not write it; repair the run");
    }

    @Test
    void whatCannotBeReadIsNotRemovedNorWhatItMayNeed() throws IOException {
        twoChains();
        damageRecord(2);
        writer.prune(Set.of(), Samples.TIME);
        assertThat(store.currentEntries()).extracting(Entry::number).containsExactly(1L, 2L, 4L, 5L);
        assertThat(blobs.blobs.keySet()).anyMatch(name -> name.startsWith("segments/0000000002"));
    }

    /// Without it, the pruning after it would seem to be about everything.
    @Test
    void aDamagedFreshStartGivesNothingUp() throws IOException {
        twoChains();
        writer.commitFreshStart(Samples.TIME);
        commit(1, null);
        commit(2, null);
        writer.prune(Set.of(), Samples.TIME);
        damageRecord(6);
        assertThat(StoreVerifier.verify(store, StoreVerifier.Depth.FULL, c -> {})
                        .damaged())
                .extracting(StoreVerifier.DamagedFile::file)
                .containsExactly(RunFiles.record(6));
        CheckpointWriter.open(store, () -> {}).prune(Set.of(), Samples.TIME);
        assertThat(store.entries()).extracting(Entry::number).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 8L);
        assertThat(store.leftovers()).isEmpty();
    }

    @Test
    void aPruningAfterADamagedFreshStartLeavesWhatWasBeforeIt() throws IOException {
        twoChains();
        writer.commitFreshStart(Samples.TIME);
        commit(1, null);
        commit(2, null);
        damageRecord(6);
        CheckpointWriter.open(store, () -> {}).prune(Set.of(), Samples.TIME);
        assertThat(CheckpointStoreTest.checkpoints(store))
                .extracting(Commit::number)
                .containsExactly(1L, 2L, 3L, 4L, 5L, 8L);
    }

    /// A segment has the number that came next when it was begun, which may be another's.
    @Test
    void segmentsThatADamagedRecordMayHaveNamedAreNotRemoved() throws IOException {
        List<Commit> made = twoChains();
        Commit last = made.getLast();
        String segment = last.segments().getFirst().name();
        String earlier = segment.replace("0000000005", "0000000004");
        byte[] content = blobs.blobs.remove(segment);
        assertThat(content).isNotNull();
        blobs.blobs.put(earlier, content);
        damageRecord(5);
        assertThat(store.leftovers()).isEmpty();
        CheckpointWriter.open(store, () -> {});
        assertThat(blobs.blobs).containsKey(earlier);
    }

    /// As a file system may leave it that removes files in its own order.
    @Test
    void anOlderFormWhoseRecordIsGoneBeforeItsSegmentIsALeftover() throws IOException {
        List<Commit> made = twoChains();
        String segment = made.get(2).segments().getFirst().name();
        byte[] content = blobs.blobs.get(segment);
        assertThat(content).isNotNull();
        assertThat(new Merger(store, writer).merge(made.get(2))).isPresent();
        blobs.blobs.put(segment, content);
        assertThat(store.leftovers()).containsExactly(segment);
        assertThat(StoreVerifier.verify(store, StoreVerifier.Depth.FULL, c -> {})
                        .ok())
                .isTrue();
        CheckpointWriter.open(store, () -> {});
        assertThat(blobs.blobs).doesNotContainKey(segment);
    }

    /// A disk may fail for a moment.
    @Test
    void aRecordThatCannotBeReadForAWhileKeepsItsChain() throws IOException {
        List<Commit> made = twoChains();
        byte[] second = blobs.blobs.get(RunFiles.record(2));
        assertThat(second).isNotNull();
        damageRecord(2);
        writer.prune(Set.of(3L), Samples.TIME);
        CheckpointWriter.open(store, () -> {});
        blobs.blobs.put(RunFiles.record(2), second);
        assertThat(Samples.matches(store, made.get(2))).isTrue();
        assertThat(store.leftovers()).isEmpty();
    }

    @Test
    void aMergedFormWhoseRecordCannotBeReadForAWhileKeepsItsSegments() throws IOException {
        List<Commit> made = twoChains();
        var before = Map.copyOf(blobs.blobs);
        Commit merged = new Merger(store, writer).merge(made.get(2)).orElseThrow();
        byte[] content = blobs.blobs.get(RunFiles.record(merged.number()));
        assertThat(content).isNotNull();
        blobs.blobs.putAll(before);
        damageRecord(merged.number());
        CheckpointWriter.open(store, () -> {});
        Damage.record(blobs.blobs, merged.number(), content);
        assertThat(StoreVerifier.verify(store, StoreVerifier.Depth.FULL, c -> {})
                        .damaged())
                .isEmpty();
        assertThat(Samples.matches(store, merged)).isTrue();
    }

    private void damageRecord(long number) {
        Damage.record(blobs.blobs, number, new byte[100]);
    }

    @Test
    void pruningEndsAtTheLastFreshStart() throws IOException {
        twoChains();
        writer.commitFreshStart(Samples.TIME);
        commit(1, null);
        commit(2, null);
        writer.prune(Set.of(), Samples.TIME);
        assertThat(steps()).containsExactly(2L);
        assertThat(store.entries()).hasSize(5 + 1);
    }

    @Test
    void aMergedFormTakesThePlaceOfTheOldOne() throws IOException {
        List<Commit> made = twoChains();
        Commit merged = new Merger(store, writer).merge(made.get(2)).orElseThrow();
        assertThat(merged.number()).isEqualTo(6);
        assertThat(merged.position()).isEqualTo(3);
        assertThat(merged.parent()).isEqualTo(Parent.of(made.get(0)));
        assertThat(steps()).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(store.history().chain(made.get(2))).extracting(Commit::step).containsExactly(1L, 3L);
        Commit child = commit(6, merged);
        assertThat(store.history().chain(child)).extracting(Commit::step).containsExactly(1L, 3L, 6L);
        for (Commit checkpoint : CheckpointStoreTest.checkpoints(store)) {
            assertThat(Samples.matches(store, checkpoint))
                    .as("step %d", checkpoint.step())
                    .isTrue();
        }
        assertThat(store.leftovers()).isEmpty();
        assertThat(new Merger(store, writer).merge(merged)).isEmpty();
    }

    @Test
    void theNewestThatCanBeRestoredStaysWhateverIsWanted() throws IOException {
        Commit old = commit(1, null);
        Commit good = commit(2, null);
        Commit lost = commit(3, null);
        Commit child = commit(4, lost);
        blobs.blobs.remove(lost.segments().getFirst().name());
        assertThat(writer.prune(Retention.parse("latest:1"), 1, Samples.TIME)).containsExactly(old);
        assertThat(Samples.matches(store, good)).isTrue();
        assertThat(store.history().current())
                .extracting(Entry::number)
                .containsExactly(good.number(), lost.number(), child.number());
    }

    /// Its bytes are wrong where no quick check looks.
    @Test
    void whatWasFoundDamagedTakesNoPlaceOfAGoodOne() throws IOException {
        Commit old = commit(1, null);
        Commit good = commit(2, null);
        Commit damaged = commit(3, null);
        Commit child = commit(4, damaged);
        Commit newest = commit(5, null);
        writer.foundDamaged(damaged.segments().getFirst().name());
        assertThat(writer.prune(Retention.parse("latest:2"), 1, Samples.TIME)).containsExactly(old);
        Commit next = commit(6, newest);
        assertThat(writer.prune(Retention.parse("latest:2"), 1, Samples.TIME)).containsExactly(good, damaged, child);
        assertThat(Samples.matches(store, next)).isTrue();
    }

    @Test
    void theNewestGoodOneStaysWhereAllNewerWereFoundDamaged() throws IOException {
        Commit good = commit(1, null);
        Commit damaged = commit(2, null);
        commit(3, damaged);
        writer.foundDamaged(damaged.segments().getFirst().name());
        assertThat(writer.prune(Retention.parse("latest:1"), 1, Samples.TIME)).isEmpty();
        assertThat(Samples.matches(store, good)).isTrue();
    }

    @Test
    void anotherFormWithOtherValuesIsRefused() throws IOException {
        Commit checkpoint = commit(1, null);
        assertThatThrownBy(() -> writer.replace(
                        checkpoint, null, List.of(writer.stage(Samples.WRITER, new Contents(Samples.tensors(2))))))
                .isInstanceOf(DamagedException.class)
                .hasMessageContaining("digest");
        assertThat(blobs.blobs).as("a record, its twin and its segment").hasSize(3);
    }

    @Test
    void parentsInACircleAreDamage() throws IOException {
        Commit made = commit(1, null);
        var log = new CommitLog(blobs);
        log.append(new Manifest(withParent(made, 2, "0000000000000002", "0000000000000003"), List.of()));
        log.append(new Manifest(withParent(made, 3, "0000000000000003", "0000000000000002"), List.of()));
        assertThatThrownBy(
                        () -> store.open(CheckpointStoreTest.checkpoints(store).getLast()))
                .isInstanceOf(DamagedException.class)
                .hasMessageContaining("needs this one");
    }

    private static Commit withParent(Commit like, long number, String id, String parentId) {
        return new Commit(
                number,
                id,
                like.step(),
                like.time(),
                new Parent(parentId, like.digest()),
                like.codec(),
                like.digest(),
                0,
                like.fullBytes(),
                like.attributes(),
                like.segments());
    }

    /// Every operation of a merge and a pruning fails in turn: the checkpoints that are wanted stay, with their values.
    @ParameterizedTest
    @EnumSource(FaultyBlobStore.Fault.class)
    void mergesAndPruningsThatFailAnywhereLoseNothing(FaultyBlobStore.Fault fault) throws IOException {
        boolean reachedTheEnd = false;
        for (int failAt = 1; !reachedTheEnd; failAt++) {
            var memory = new MemoryBlobStore();
            var test = new HistoryTest();
            test.writer = CheckpointWriter.open(new CheckpointStore(memory), () -> {});
            List<Commit> made = test.twoChains();
            var faulty = new FaultyBlobStore(memory, fault, failAt);
            var faultyStore = new CheckpointStore(faulty);
            try {
                CheckpointWriter faultyWriter = CheckpointWriter.open(faultyStore, () -> {});
                new Merger(faultyStore, faultyWriter).merge(made.get(2));
                faultyWriter.prune(Set.of(1L, 6L), Samples.TIME);
            } catch (IOException injected) {
                assertThat(injected).hasMessageContaining("injected");
            }
            reachedTheEnd = !faulty.faultHappened();
            var reopened = new CheckpointStore(memory);
            CheckpointWriter.open(reopened, () -> {});
            List<Commit> found = CheckpointStoreTest.checkpoints(reopened);
            assertThat(found).extracting(Commit::step).contains(1L, 4L, 5L);
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
    void foreignFilesAreNamed() throws IOException {
        commit(1, null);
        for (String welcome : List.of(
                "train.log",
                "progress.jsonl",
                "a/b.csv",
                "writer.lock",
                "tb/events.out.1",
                "events/0000000003-w0.jsonl",
                "events/0000000003-w0-0000000001-0000000016.jsonl",
                "events/.tmp-0000000003-w0.jsonl")) {
            blobs.blobs.put(welcome, new byte[1]);
        }
        blobs.blobs.put("notes.txt", new byte[1]);
        blobs.blobs.put("log/readme", new byte[1]);
        blobs.blobs.put("events/notes", new byte[1]);
        assertThat(StoreVerifier.verify(store, StoreVerifier.Depth.FAST, c -> {})
                        .foreign())
                .containsExactly("events/notes", "log/readme", "notes.txt");
    }
}
