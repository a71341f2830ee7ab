package dev.cairn.store.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.codec.ElementType;
import dev.cairn.store.ChainSamples;
import dev.cairn.store.Damage;
import dev.cairn.store.NewerFormatException;
import dev.cairn.store.Samples;
import dev.cairn.store.StoreException;
import dev.cairn.store.blob.FaultyBlobStore;
import dev.cairn.store.blob.FaultyBlobStore.Fault;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.check.RestoreTrial;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.SealedText;
import dev.cairn.store.reading.CheckpointReader;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.reading.CheckpointStoreTest;
import dev.cairn.store.repair.RepairPlan.Lost;
import dev.cairn.store.segment.SegmentFormat;
import dev.cairn.store.segment.SegmentName;
import dev.cairn.store.segment.Workspace;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.store.writing.Merger;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RepairTest {
    private static final Instant NOW = Instant.parse("2026-03-04T05:06:07.8Z");

    private final MemoryBlobStore blobs = new MemoryBlobStore();
    private final CheckpointStore store = new CheckpointStore(blobs);
    private final Workspace workspace = new Workspace();

    @Test
    void aRunWithoutDamageIsLeftAlone() throws IOException {
        chain(3);
        Map<String, byte[]> before = Map.copyOf(blobs.blobs);
        Repair.Done done = Repair.run(store, () -> {}, NOW);
        assertThat(done.plan().isNothing()).isTrue();
        assertThat(blobs.blobs).containsExactlyInAnyOrderEntriesOf(before);
    }

    @Test
    void aDamagedDeltaAndWhatNeedsItGoIntoQuarantine() throws IOException {
        List<Commit> chain = chain(4);
        String segment = segment(chain.get(2));
        byte[] damaged = flip(segment);
        Repair.Done done = Repair.run(store, () -> {}, NOW);
        assertThat(done.folder()).isEqualTo("quarantine/20260304T050607/");
        assertThat(done.plan().lost()).extracting(Lost::number).containsExactly(3L, 4L);
        assertThat(numbers()).containsExactly(1L, 2L);
        assertThat(blobs.blobs.get(done.folder() + segment)).isEqualTo(damaged);
        assertThat(blobs.blobs)
                .containsKeys(
                        done.folder() + segment(chain.get(3)),
                        done.folder() + "log/0000000003.rec",
                        done.folder() + "log/0000000004.rec",
                        done.folder() + "reasons.txt")
                .doesNotContainKeys(segment, "log/0000000003.rec");
        assertClean();
    }

    @Test
    void whatHealsIsWrittenAnewBitForBit() throws IOException {
        List<Commit> chain = chain(4);
        Set<String> before = restorable();
        String segment = segment(chain.get(1));
        byte[] original = Objects.requireNonNull(blobs.blobs.get(segment));
        byte[] damaged = original.clone();
        damaged[100] ^= 1;
        blobs.blobs.put(segment, damaged);
        Repair.Done done = Repair.run(store, () -> {}, NOW);
        assertThat(done.plan().damaged()).singleElement().satisfies(damage -> {
            assertThat(damage.file()).isEqualTo(segment);
            assertThat(damage.healable()).isTrue();
        });
        assertThat(done.plan().lost()).isEmpty();
        assertThat(restorable()).isEqualTo(before);
        assertThat(blobs.blobs.get(segment)).isEqualTo(original);
        assertClean();
    }

    @Test
    void aNumberIsNeverTakenTwice() throws IOException {
        List<Commit> chain = chain(2);
        flip(segment(chain.get(1)));
        Repair.run(store, () -> {}, NOW);
        assertThat(Samples.commit(CheckpointWriter.open(store, () -> {}), 7).number())
                .isGreaterThan(2);
    }

    @Test
    void aLostRecordTakesItsSegmentsWithIt() throws IOException {
        List<Commit> chain = chain(2);
        Samples.commit(CheckpointWriter.open(store, () -> {}), 3);
        Damage.loseRecord(blobs.blobs, 2);
        Repair.Done done = Repair.run(store, () -> {}, NOW);
        assertThat(done.plan().lost()).singleElement().satisfies(lost -> {
            assertThat(lost.number()).isEqualTo(2);
            assertThat(lost.step()).isEmpty();
        });
        assertThat(blobs.blobs).containsKey(done.folder() + segment(chain.get(1)));
        assertThat(numbers()).containsExactly(1L, 3L);
        assertClean();
    }

    @Test
    void whatCanBeReadInSpiteOfDamageStandsAlone() throws IOException {
        // Deltas drop the moments: no later checkpoint needs the base's moments.
        var specs = List.of(ChainSamples.weights("w", ElementType.FLOAT32, 5000), ChainSamples.moments("m", 100));
        var samples = new ChainSamples(blobs, specs);
        List<Commit> chain = List.of(samples.commit(), samples.commit(), samples.commit());
        flipBlock(chain.getFirst(), 1);
        Repair.Done done = Repair.run(store, () -> {}, NOW);
        assertThat(done.plan().lost()).extracting(Lost::number).containsExactly(1L);
        assertThat(done.plan().rerooted())
                .extracting(rerooted -> rerooted.checkpoint().id())
                .containsExactly(chain.get(1).id());
        assertClean();
        List<Commit> left = checkpoints();
        assertThat(left)
                .extracting(Commit::id)
                .containsExactly(chain.get(1).id(), chain.get(2).id());
        assertThat(left.getFirst().parent()).isNull();
        var wholes = samples.wholes();
        try (CheckpointReader reader = store.open(left.getLast())) {
            reader.read(wholes, 1);
        }
        for (int i = 0; i < wholes.size(); i++) {
            assertThat(wholes.get(i).target().mismatch(samples.values().get(i))).isEqualTo(-1);
        }
    }

    @Test
    void aDamagedMergedFormGivesWayToTheOneBefore() throws IOException {
        List<Commit> chain = chain(4);
        Map<String, byte[]> before = Map.copyOf(blobs.blobs);
        Commit merged = new Merger(store, CheckpointWriter.open(store, () -> {}))
                .merge(chain.getLast())
                .orElseThrow();
        blobs.blobs.putAll(before); // the merge was cut off before it removed what it replaces
        flip(segment(merged));
        Repair.Done done = Repair.run(store, () -> {}, NOW);
        assertThat(done.plan().lost()).isEmpty();
        assertThat(done.plan().reverted()).extracting(Commit::number).containsExactly(merged.number());
        assertThat(numbers()).containsExactly(1L, 2L, 3L, 4L);
        assertThat(blobs.blobs).containsKey(done.folder() + segment(merged));
        assertClean();
    }

    @Test
    void nothingIsChangedWhereNoCheckpointWouldBeLeft() throws IOException {
        List<Commit> chain = chain(3);
        flip(segment(chain.getFirst()));
        Map<String, byte[]> before = Map.copyOf(blobs.blobs);
        Repair.Done done = Repair.run(store, () -> {}, NOW);
        assertThat(done.plan().leavesNothing()).isTrue();
        assertThat(blobs.blobs).containsExactlyInAnyOrderEntriesOf(before);
    }

    @Test
    void whatIsOfBeforeAFreshStartIsMovedTooAndStaysOutOfTheRun() throws IOException {
        List<Commit> chain = chain(2);
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        writer.commitFreshStart(NOW);
        Samples.commit(writer, 5);
        flip(segment(chain.getFirst()));
        Repair.Done done = Repair.run(store, () -> {}, NOW);
        assertThat(done.plan().lost()).extracting(Lost::number).containsExactly(1L, 2L);
        assertThat(numbers()).containsExactly(4L);
        assertThat(store.history().lastNumber()).as("no record was needed").isEqualTo(4);
        assertClean();
    }

    @Test
    void whatHealsIsWrittenAnewAlsoFromBeforeAFreshStart() throws IOException {
        List<Commit> chain = chain(2);
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        writer.commitFreshStart(NOW);
        Samples.commit(writer, 5);
        String segment = segment(chain.getFirst());
        byte[] original = Objects.requireNonNull(blobs.blobs.get(segment)).clone();
        Objects.requireNonNull(blobs.blobs.get(segment))[100] ^= 1;
        Repair.Done done = Repair.run(store, () -> {}, NOW);
        assertThat(done.plan().lost()).isEmpty();
        assertThat(blobs.blobs.get(segment)).isEqualTo(original);
        assertThat(numbers()).containsExactly(4L);
        assertClean();
    }

    @Test
    void aRunOfALaterVersionIsRefused() throws IOException {
        chain(2);
        blobs.blobs.put("log/0000000003.rec", new SealedText(99, "{}").bytes("cairn-record"));
        assertThatThrownBy(() -> Repair.plan(store)).isInstanceOf(NewerFormatException.class);
    }

    /// Whichever file is damaged or lost: what could be restored before can be restored after, and nothing is gone.
    @Test
    void everyFileMayBeDamagedOrLost() throws IOException {
        chain(3);
        Samples.commit(CheckpointWriter.open(store, () -> {}), 9);
        Map<String, byte[]> good = Map.copyOf(blobs.blobs);
        for (String file : new TreeSet<>(good.keySet())) {
            for (boolean lost : new boolean[] {false, true}) {
                blobs.blobs.clear();
                blobs.blobs.putAll(good);
                if (lost) {
                    blobs.blobs.remove(file);
                } else {
                    flip(file);
                }
                Map<String, byte[]> damaged = Map.copyOf(blobs.blobs);
                Set<String> before = restorable();
                Repair.Done done = Repair.run(store, () -> {}, NOW);
                assertThat(restorable()).as(file).isEqualTo(before);
                assertClean();
                assertNothingIsGone(damaged, done.plan());
            }
        }
    }

    @Test
    void aRecordAndATwinAreRewrittenInTheirPlace() throws IOException {
        chain(3);
        Map<String, byte[]> good = Map.copyOf(blobs.blobs);
        byte[] record = flip(RunFiles.record(1));
        byte[] twin = flip(RunFiles.twin(2));
        blobs.blobs.remove(RunFiles.record(3));
        Repair.Done done = Repair.run(store, () -> {}, NOW);
        assertThat(done.plan().rewritten())
                .containsExactlyInAnyOrder(RunFiles.record(1), RunFiles.twin(2), RunFiles.record(3));
        assertThat(done.plan().lost()).isEmpty();
        assertThat(blobs.blobs).containsAllEntriesOf(good);
        assertThat(blobs.blobs.get(done.folder() + RunFiles.record(1))).isEqualTo(record);
        assertThat(blobs.blobs.get(done.folder() + RunFiles.twin(2))).isEqualTo(twin);
        assertClean();
    }

    @ParameterizedTest
    @ValueSource(strings = {"before", "after", "killed"})
    void aRepairThatIsCutOffAnywhereLosesNothing(String fault) throws IOException {
        var specs = List.of(ChainSamples.weights("w", ElementType.FLOAT32, 5000), ChainSamples.moments("m", 100));
        var samples = new ChainSamples(blobs, specs);
        List<Commit> chain =
                List.of(samples.commit(), samples.commit(), samples.commit(), samples.commit(), samples.commit());
        flipBlock(chain.getFirst(), 1); // leaves the second, which is to stand alone
        flip(segment(chain.get(3))); // and takes the last two
        var repaired = new HashMap<>(blobs.blobs);
        blobs.blobs.replaceAll((_, bytes) -> bytes.clone());
        Objects.requireNonNull(blobs.blobs.get(segment(chain.get(2))))[100] ^= 1; // heals
        flip(RunFiles.record(2)); // and so do a record
        flip(RunFiles.twin(3)); // and the twin of another
        Map<String, byte[]> damaged = Map.copyOf(blobs.blobs);
        Set<String> before = restorable();
        assertThat(before).hasSize(2);
        int failures = 0;
        for (int at = 1; ; at++) {
            blobs.blobs.clear();
            blobs.blobs.putAll(damaged);
            FaultyBlobStore faulty = switch (fault) {
                case "before" -> new FaultyBlobStore(blobs, Fault.BEFORE, at);
                case "after" -> new FaultyBlobStore(blobs, Fault.AFTER, at);
                default -> FaultyBlobStore.killedAt(blobs, at);
            };
            try {
                Repair.run(new CheckpointStore(faulty), () -> {}, NOW);
            } catch (IOException injected) {
                failures++;
            }
            if (!faulty.faultHappened()) {
                break;
            }
            assertThat(restorable()).as("%s at %d", fault, at).isEqualTo(before);
            Repair.Done done = Repair.run(store, () -> {}, NOW);
            assertThat(restorable()).as("%s at %d, repaired", fault, at).isEqualTo(before);
            assertClean();
            assertNothingIsGone(repaired, done.plan());
        }
        assertThat(failures).isGreaterThan(20);
    }

    /// Everything still exists, in its place or in quarantine, except for old forms of rewritten checkpoints.
    private void assertNothingIsGone(Map<String, byte[]> before, RepairPlan plan) throws IOException {
        var stored = new HashMap<String, List<byte[]>>();
        blobs.blobs.forEach((name, content) -> stored.computeIfAbsent(
                        name.replaceFirst("^quarantine/[^/]+/", ""), _ -> new ArrayList<>())
                .add(content));
        var replaced = new HashSet<String>();
        for (Commit checkpoint : checkpoints()) {
            if (checkpoint.replaces() != 0) {
                replaced.add(RunFiles.record(checkpoint.replaces()));
                replaced.add(RunFiles.twin(checkpoint.replaces()));
                before.keySet().stream()
                        .filter(name -> name.startsWith("segments/" + RunFiles.digits(checkpoint.replaces()) + "-"))
                        .forEach(replaced::add);
            }
        }
        before.forEach((name, content) -> {
            if (!replaced.contains(name)) {
                assertThat(stored.getOrDefault(name, List.of()))
                        .as(name + " " + plan)
                        .anyMatch(there -> Arrays.equals(there, content));
            }
        });
    }

    /// The ids of the checkpoints that can be restored.
    private Set<String> restorable() throws IOException {
        var ids = new HashSet<String>();
        History history = store.history();
        for (Entry entry : history.current()) {
            if (entry instanceof Entry.Intact(Commit checkpoint)) {
                try {
                    RestoreTrial.read(store, history.chain(checkpoint), workspace);
                    ids.add(checkpoint.id());
                } catch (StoreException damaged) {
                    // Cannot be restored.
                }
            }
        }
        return ids;
    }

    private void assertClean() throws IOException {
        var report = StoreVerifier.verify(store, Depth.FULL, _ -> {});
        assertThat(report.damaged()).isEmpty();
        assertThat(report.foreign()).isEmpty();
    }

    /// A base and deltas of one tensor.
    private List<Commit> chain(int length) throws IOException {
        var samples = new ChainSamples(blobs, List.of(ChainSamples.weights("w", ElementType.FLOAT32, 5000)));
        var chain = new ArrayList<Commit>();
        for (int i = 0; i < length; i++) {
            chain.add(samples.commit());
        }
        return chain;
    }

    private List<Commit> checkpoints() throws IOException {
        return CheckpointStoreTest.checkpoints(store);
    }

    private List<Long> numbers() throws IOException {
        return store.currentEntries().stream().map(Entry::number).toList();
    }

    private static String segment(Commit checkpoint) {
        return checkpoint.segments().getFirst().name();
    }

    private byte[] flip(String name) {
        byte[] bytes = Objects.requireNonNull(blobs.blobs.get(name)).clone();
        if (SegmentName.parse(name) == null) {
            bytes[bytes.length / 2] ^= 4;
        } else {
            bytes = Damage.inTheMiddle(bytes);
        }
        blobs.blobs.put(name, bytes);
        return bytes;
    }

    /// Flips a bit of the first block of the tensor of this index.
    private void flipBlock(Commit checkpoint, int tensor) throws IOException {
        String name = segment(checkpoint);
        long offset = SegmentFormat.HEADER_BYTES;
        for (int i = 0; i < tensor; i++) {
            offset += store.manifest(checkpoint).tensors().get(i).storedBytes();
        }
        blobs.blobs.put(name, Damage.at(Objects.requireNonNull(blobs.blobs.get(name)), (int) offset + 20));
    }
}
