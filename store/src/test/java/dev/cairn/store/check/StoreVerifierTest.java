package dev.cairn.store.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.codec.ElementType;
import dev.cairn.store.ChainSamples;
import dev.cairn.store.Damage;
import dev.cairn.store.DamagedException;
import dev.cairn.store.Samples;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.blob.ReadHookBlobStore;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.check.StoreVerifier.DamagedFile;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.check.StoreVerifier.Progress;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.Manifest;
import dev.cairn.store.log.RecordFormat;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.reading.HostileInputTest;
import dev.cairn.store.repair.Repair;
import dev.cairn.store.segment.SegmentFormat;
import dev.cairn.store.segment.SegmentRef;
import dev.cairn.store.segment.TensorRef;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.store.writing.Merger;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What checksums of files cannot find: values that are not what their writer held.
class StoreVerifierTest {
    private static final TensorSpec WEIGHTS = ChainSamples.weights("weights", ElementType.FLOAT32, 70_000);
    private static final TensorSpec MOMENTS = ChainSamples.moments("moments", 1000);
    private static final TensorSpec BYTES = ChainSamples.weights("bytes", ElementType.UINT8, 300);

    private final MemoryBlobStore blobs = new MemoryBlobStore();
    private final CheckpointStore store = new CheckpointStore(blobs);
    private final List<Commit> made = new ArrayList<>();

    @BeforeEach
    void makeAChain() throws IOException {
        var chain = new ChainSamples(blobs, List.of(WEIGHTS, MOMENTS, BYTES));
        for (int i = 0; i < 6; i++) {
            made.add(chain.commit());
        }
    }

    @Test
    void wrongContentsWithRightChecksumsAreFoundByReconstructingAlone() throws IOException {
        for (Commit checkpoint : List.copyOf(made)) {
            Map<String, byte[]> good = Map.copyOf(blobs.blobs);
            String file = changeABlock(checkpoint);
            assertThat(damaged(Depth.FAST)).isEmpty();
            assertThat(damaged(Depth.CHECKSUMS)).isEmpty();
            assertThat(damaged(Depth.FULL))
                    .as("number %d alone is named, and none that needs it", checkpoint.number())
                    .extracting(DamagedFile::file)
                    .containsExactly(file);
            assertThatThrownBy(() -> StoreVerifier.verify(store, checkpoint, Depth.FULL))
                    .isInstanceOf(DamagedException.class);
            assertThatCode(() -> StoreVerifier.verify(store, checkpoint, Depth.CHECKSUMS))
                    .doesNotThrowAnyException();
            blobs.blobs.keySet().retainAll(good.keySet());
            blobs.blobs.putAll(good);
        }
        assertThat(damaged(Depth.FULL)).isEmpty();
    }

    @Test
    void aCheckpointIsNoBetterThanItsParents() throws IOException {
        changeABlock(made.get(2));
        StoreVerifier.verify(store, made.get(1), Depth.FULL);
        assertThatThrownBy(() -> StoreVerifier.verify(store, made.getLast(), Depth.FULL))
                .isInstanceOf(DamagedException.class)
                .hasMessageContaining(made.get(2).segments().getFirst().name());
    }

    @Test
    void valuesThatAreNotThoseOfTheRecordAreFound() throws IOException {
        Commit last = made.getLast();
        put(with(last, "0".repeat(32), last.segments(), tensors(last)));
        assertThat(damaged(Depth.CHECKSUMS)).isEmpty();
        assertThat(damaged(Depth.FULL))
                .singleElement()
                .satisfies(damage -> assertThat(damage.reason())
                        .contains("expected digest=" + "0".repeat(32), "actual digest=" + last.digest()));
    }

    @Test
    void aBlockThatTwoTensorsShareInPartIsDamage() throws IOException {
        Commit last = made.getLast();
        var tensors = new ArrayList<>(tensors(last));
        TensorRef moments = tensors.get(1);
        tensors.set(
                1,
                new TensorRef(
                        moments.spec(),
                        moments.codec(),
                        0,
                        moments.firstBlock() - 1,
                        moments.storedBytes(),
                        moments.relativeError()));
        put(with(last, last.digest(), last.segments(), tensors));
        for (Depth depth : Depth.values()) {
            assertThat(damaged(depth))
                    .extracting(DamagedFile::reason)
                    .containsExactly("tensor moments shares blocks with another tensor");
        }
    }

    @Test
    void everyBlockOfAChainIsReadOnce() throws IOException {
        Map<String, Integer> reads = new ConcurrentHashMap<>();
        var counting = new CheckpointStore(
                new ReadHookBlobStore(blobs, (name, offset) -> reads.merge(name + " " + offset, 1, Integer::sum)));
        List<Progress> progress = Collections.synchronizedList(new ArrayList<>());
        var report = StoreVerifier.verify(counting, Depth.FULL, progress::add);
        assertThat(report.ok()).isTrue();
        assertThat(reads.entrySet())
                .filteredOn(read -> read.getKey().startsWith("segments/"))
                .hasSizeGreaterThan(6 * 4)
                .allSatisfy(read -> assertThat(read.getValue()).isOne());
        long frames = progress.stream().mapToLong(Progress::checkedBytes).max().orElse(0);
        assertThat(report.checkedBytes()).isEqualTo(progress.getLast().totalBytes());
        assertThat(frames)
                .as("what is not in frames is headers, tables, indexes and parity")
                .isBetween(report.checkedBytes() - 6 * 12_000, report.checkedBytes());
    }

    @Test
    void branchesOfAMergedRunAreChecked() throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        var merger = new Merger(store, writer);
        Commit middle = merger.merge(made.get(3)).orElseThrow();
        Commit tip = merger.merge(made.get(5)).orElseThrow();
        assertThat(damaged(Depth.FULL)).isEmpty();
        for (Commit checkpoint : List.of(made.get(2), middle, made.get(4), tip)) {
            Map<String, byte[]> good = Map.copyOf(blobs.blobs);
            String file = changeABlock(checkpoint);
            assertThat(damaged(Depth.FULL)).extracting(DamagedFile::file).containsExactly(file);
            blobs.blobs.keySet().retainAll(good.keySet());
            blobs.blobs.putAll(good);
        }
    }

    /// The checkpoints that are built on it are intact.
    @Test
    void aRecordThatIsLostInBothPlacesIsNamedAlone() throws IOException {
        Damage.record(blobs.blobs, made.get(1).number(), new byte[30]);
        String record = RunFiles.record(made.get(1).number());
        for (Depth depth : Depth.values()) {
            var report = StoreVerifier.verify(store, depth, _ -> {});
            assertThat(report.damaged()).extracting(DamagedFile::file).containsExactly(record);
            assertThat(report.affected()).as("it and those built on it").isEqualTo(5);
        }
        assertThat(Repair.plan(store).damaged()).extracting(DamagedFile::file).containsExactly(record);
    }

    @Test
    void aRecordThatIsGoneWithoutATraceIsMissedOnce() throws IOException {
        Damage.loseRecord(blobs.blobs, made.get(1).number());
        blobs.delete(made.get(1).segmentNames().getFirst());
        for (List<DamagedFile> damaged :
                List.of(damaged(Depth.FULL), Repair.plan(store).damaged())) {
            assertThat(damaged).singleElement().satisfies(damage -> {
                assertThat(damage.file()).isEqualTo(RunFiles.LOG);
                assertThat(damage.reason())
                        .contains("needs parent id=" + made.get(1).id());
            });
        }
    }

    /// A training beside the check is no damage.
    @Test
    void whatIsMergedAndRemovedMeanwhileIsNotDamaged() throws IOException {
        var done = new AtomicBoolean();
        var changing = new CheckpointStore(new ReadHookBlobStore(blobs, (name, _) -> {
            if (name.startsWith("segments/") && !done.getAndSet(true)) {
                CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
                new Merger(store, writer).merge(made.getLast());
                writer.prune(Set.of(), Samples.TIME);
            }
        }));
        var report = StoreVerifier.verify(changing, Depth.FULL, _ -> {});
        assertThat(report.damaged()).isEmpty();
        assertThat(report.checkpoints()).isEqualTo(2);
    }

    private List<DamagedFile> damaged(Depth depth) throws IOException {
        return StoreVerifier.verify(store, depth, _ -> {}).damaged();
    }

    /// Changes a bit within the first block, and makes every checksum of files right again; returns the segment's name.
    private String changeABlock(Commit checkpoint) throws IOException {
        SegmentRef segment = checkpoint.segments().getFirst();
        byte[] bytes = content(segment.name()).clone();
        bytes[SegmentFormat.HEADER_BYTES + 300] ^= 1;
        int crc = HostileInputTest.seal(bytes);
        blobs.blobs.put(segment.name(), Damage.withNewParity(bytes));
        put(with(
                checkpoint,
                checkpoint.digest(),
                List.of(new SegmentRef(segment.name(), segment.id(), segment.layout(), crc, segment.digest())),
                tensors(checkpoint)));
        return segment.name();
    }

    private byte[] content(String file) {
        byte[] content = blobs.blobs.get(file);
        assertThat(content).isNotNull();
        return content;
    }

    private void put(Manifest manifest) {
        Damage.record(blobs.blobs, manifest.checkpoint().number(), RecordFormat.write(manifest));
    }

    private List<TensorRef> tensors(Commit checkpoint) throws IOException {
        return store.manifest(checkpoint).tensors();
    }

    private static Manifest with(Commit old, String digest, List<SegmentRef> segments, List<TensorRef> tensors) {
        var checkpoint = new Commit(
                old.number(),
                old.id(),
                old.step(),
                old.time(),
                old.parent(),
                old.codec(),
                digest,
                old.replaces(),
                old.fullBytes(),
                old.attributes(),
                segments);
        return new Manifest(checkpoint, tensors);
    }
}
