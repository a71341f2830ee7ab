package dev.cairn.store.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.cairn.codec.ElementType;
import dev.cairn.store.ChainSamples;
import dev.cairn.store.Cuts;
import dev.cairn.store.Damage;
import dev.cairn.store.DamagedException;
import dev.cairn.store.Role;
import dev.cairn.store.Samples;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.DamagedFile;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.check.StoreVerifier.IncompleteTensor;
import dev.cairn.store.check.StoreVerifier.Report;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointDifference.Side;
import dev.cairn.store.reading.CheckpointReader.Piece;
import dev.cairn.store.segment.Contents;
import dev.cairn.store.segment.Staged;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.store.writing.Merger;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Tensors that several writers stored in parts are read whole, and in any other parts.
class JoinedReadTest {
    private static final TensorSpec CUBE = spec("cube", 120, 130, 50);
    private static final TensorSpec TABLE = spec("table", 900, 700);
    private static final TensorSpec LINE = spec("line", 300_001);
    private static final TensorSpec SCALAR = spec("scalar");
    private static final TensorSpec ALONE = spec("alone", 70_000);
    private static final List<TensorSpec> TENSORS = List.of(CUBE, TABLE, LINE, SCALAR);

    private final MemoryBlobStore blobs = new MemoryBlobStore();

    @Test
    void whatThreeWroteOneTwoAndFiveReadThroughAChain() throws IOException {
        var random = new Random(17);
        var parts = new ArrayList<TensorSpec>(List.of(ALONE));
        for (TensorSpec tensor : TENSORS) {
            parts.addAll(Cuts.random(tensor, 3, random));
        }
        var samples = new ChainSamples(blobs, parts);
        samples.commitAs(3);
        samples.commitAs(3);
        Commit tip = samples.commitAs(3);
        assertThat(tip.segments()).hasSize(3);
        for (int readers : new int[] {1, 2, 5}) {
            for (TensorSpec tensor : TENSORS) {
                for (TensorSpec wanted : Cuts.random(tensor, readers, random)) {
                    assertReads(samples, tip, parts, wanted);
                }
            }
        }
        assertReads(samples, tip, parts, ALONE);
        assertReads(samples, tip, parts, Cuts.anyPart(ALONE, random));
        Commit merged = new Merger(samples.store(), samples.writer()).merge(tip).orElseThrow();
        assertThat(merged.digest()).isEqualTo(tip.digest());
        assertReads(samples, merged, parts, TABLE);
        assertThat(StoreVerifier.verify(samples.store(), StoreVerifier.Depth.FULL, _ -> {})
                        .ok())
                .isTrue();
    }

    private static void assertReads(ChainSamples samples, Commit checkpoint, List<TensorSpec> parts, TensorSpec wanted)
            throws IOException {
        var same = new ArrayList<TensorSpec>();
        var values = new ArrayList<MemorySegment>();
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i).name().equals(wanted.name())) {
                same.add(parts.get(i));
                values.add(samples.values().get(i));
            }
        }
        MemorySegment expected = Cuts.gather(same, values, wanted);
        try (CheckpointReader reader = samples.store().open(checkpoint)) {
            MemorySegment read = Arena.ofAuto().allocate(wanted.sizeBytes());
            reader.read(List.of(new Piece(wanted, read)), 4);
            assertThat(read.mismatch(expected)).as("%s", wanted).isEqualTo(-1);
            // Ranges of it, as an export reads them.
            long piece = 100_001;
            for (long at = 0; at < wanted.sizeBytes(); at += piece) {
                MemorySegment range = MemorySegment.ofArray(new byte[(int) Math.min(piece, wanted.sizeBytes() - at)]);
                reader.read(wanted, at, range);
                assertThat(range.mismatch(expected.asSlice(at, range.byteSize())))
                        .as("%s from %d on", wanted, at)
                        .isEqualTo(-1);
            }
        }
    }

    @Test
    void aMissingPartIsNamed() throws IOException {
        List<TensorSpec> parts = Cuts.across(TABLE, 0, 3);
        var samples = new ChainSamples(blobs, List.of(parts.get(0), parts.get(2)));
        Commit checkpoint = samples.commitAs(2);
        try (CheckpointReader reader = samples.store().open(checkpoint)) {
            MemorySegment target = Arena.ofAuto().allocate(TABLE.sizeBytes());
            assertThatThrownBy(() -> reader.read(TABLE, target))
                    .isInstanceOf(DamagedException.class)
                    .hasMessageContaining("log/0000000001.rec")
                    .hasMessageContaining("no part has " + parts.get(1));
            TensorSpec there = Cuts.part(TABLE, new long[] {10, 600}, new long[] {200, 50});
            reader.read(there, Arena.ofAuto().allocate(there.sizeBytes()));
        }
    }

    @Test
    void aDamagedPartHarmsThoseWhoNeedIt() throws IOException {
        List<TensorSpec> parts = Cuts.across(TABLE, 0, 3);
        var samples = new ChainSamples(blobs, parts);
        Commit checkpoint = samples.commitAs(3);
        String file = checkpoint.segments().get(1).name();
        blobs.blobs.computeIfPresent(file, (_, bytes) -> Damage.at(bytes, 500));
        try (CheckpointReader reader = samples.store().open(checkpoint)) {
            MemorySegment target = Arena.ofAuto().allocate(TABLE.sizeBytes());
            assertThatThrownBy(() -> reader.read(List.of(new Piece(TABLE, target)), 4))
                    .isInstanceOf(DamagedException.class)
                    .hasMessageContaining(file);
            TensorSpec first = Cuts.part(TABLE, new long[] {0, 0}, new long[] {250, 700});
            MemorySegment good = MemorySegment.ofArray(new byte[(int) first.sizeBytes()]);
            reader.read(first, good);
            assertThat(good.mismatch(Cuts.gather(parts, samples.values(), first)))
                    .isEqualTo(-1);
        }
    }

    @Test
    void overlappingPartsMustAgree() throws IOException {
        var random = new Random(3);
        byte[] bytes = new byte[(int) TABLE.sizeBytes()];
        random.nextBytes(bytes);
        MemorySegment whole = MemorySegment.ofArray(bytes);
        TensorSpec upper = Cuts.part(TABLE, new long[] {0, 0}, new long[] {600, 700});
        TensorSpec lower = Cuts.part(TABLE, new long[] {300, 0}, new long[] {600, 700});
        Commit good = commit(part(upper, whole), part(lower, whole));
        var store = new CheckpointStore(blobs);
        try (CheckpointReader reader = store.open(good)) {
            MemorySegment target = Arena.ofAuto().allocate(TABLE.sizeBytes());
            reader.read(List.of(new Piece(TABLE, target)));
            assertThat(target.mismatch(whole)).isEqualTo(-1);
        }
        Samples.Tensor wrong = part(lower, whole);
        wrong.bytes().set(ValueLayout.JAVA_BYTE, 299 * 700 * 4L, (byte) ~bytes[599 * 700 * 4]);
        try (CheckpointReader reader = store.open(commit(part(upper, whole), wrong))) {
            MemorySegment target = Arena.ofAuto().allocate(TABLE.sizeBytes());
            assertThatThrownBy(() -> reader.read(List.of(new Piece(TABLE, target))))
                    .isInstanceOf(DamagedException.class)
                    .hasMessageContaining("overlap and differ: " + lower);
            TensorSpec onlyUpper = Cuts.part(TABLE, new long[] {0, 0}, new long[] {300, 700});
            reader.read(onlyUpper, Arena.ofAuto().allocate(onlyUpper.sizeBytes()));
        }
    }

    @Test
    void aVerificationFindsOverlappingPartsThatDiffer() throws IOException {
        byte[] bytes = new byte[(int) TABLE.sizeBytes()];
        new Random(5).nextBytes(bytes);
        MemorySegment whole = MemorySegment.ofArray(bytes);
        TensorSpec left = Cuts.part(TABLE, new long[] {0, 0}, new long[] {900, 500});
        TensorSpec right = Cuts.part(TABLE, new long[] {0, 200}, new long[] {900, 500});
        commit(part(left, whole), part(right, whole));
        assertThat(verify(Depth.FULL).ok()).isTrue();
        Samples.Tensor wrong = part(right, whole);
        long lastOfOverlap = (899 * 500 + 299) * 4L;
        wrong.bytes().set(ValueLayout.JAVA_BYTE, lastOfOverlap, (byte)
                ~wrong.bytes().get(ValueLayout.JAVA_BYTE, lastOfOverlap));
        commit(part(left, whole), wrong);
        assertThat(verify(Depth.CHECKSUMS).ok()).isTrue();
        Report report = verify(Depth.FULL);
        assertThat(report.damaged()).singleElement().satisfies(damage -> {
            assertThat(damage.kind()).isEqualTo(DamagedFile.Kind.PARTS);
            assertThat(damage.file()).isEqualTo("log/0000000002.rec");
            assertThat(damage.reason()).contains("overlap and differ: " + right);
        });
        assertThat(report.affected()).isOne();
        assertThat(report.incomplete()).isEmpty();
    }

    /// The values of the deltas are what counts, not those of the base.
    @Test
    void aVerificationFindsPartsThatDifferInADelta() throws IOException {
        TensorSpec upper = Cuts.part(TABLE, new long[] {0, 0}, new long[] {600, 700});
        TensorSpec lower = Cuts.part(TABLE, new long[] {599, 0}, new long[] {301, 700});
        var samples = new ChainSamples(blobs, List.of(upper, lower));
        samples.commitAs(2);
        samples.commitAs(2);
        assertThat(verify(Depth.FULL).damaged())
                .extracting(DamagedFile::file, DamagedFile::kind)
                .containsExactly(
                        tuple("log/0000000001.rec", DamagedFile.Kind.PARTS),
                        tuple("log/0000000002.rec", DamagedFile.Kind.PARTS));
    }

    @Test
    void aVerificationNamesTensorsThatTheirPartsDoNotMakeUp() throws IOException {
        List<TensorSpec> parts = Cuts.across(TABLE, 0, 3);
        var samples = new ChainSamples(blobs, List.of(parts.get(0), ALONE, parts.get(2)));
        samples.commitAs(2);
        for (Depth depth : Depth.values()) {
            Report report = verify(depth);
            assertThat(report.incomplete())
                    .containsExactly(new IncompleteTensor("log/0000000001.rec", TABLE, parts.get(1)));
            assertThat(report.ok()).as("the parts that are there can be read").isTrue();
        }
    }

    private Report verify(Depth depth) throws IOException {
        return StoreVerifier.verify(new CheckpointStore(blobs), depth, _ -> {});
    }

    @Test
    void checkpointsOfOneStateAreTheSameHoweverTheyAreCut() throws IOException {
        byte[] bytes = new byte[(int) TABLE.sizeBytes()];
        new Random(4).nextBytes(bytes);
        MemorySegment whole = MemorySegment.ofArray(bytes);
        var store = new CheckpointStore(blobs);
        Commit one = commit(new Samples.Tensor(TABLE, whole));
        Commit three = commit(
                Cuts.across(TABLE, 1, 3).stream().map(spec -> part(spec, whole)).toArray(Samples.Tensor[]::new));
        assertThat(three.digest()).isNotEqualTo(one.digest());
        var difference = CheckpointDifference.between(new Side(store, one), new Side(store, three), _ -> {});
        assertThat(difference.isNone()).isTrue();
        assertThat(difference.tensors()).hasSize(1);
    }

    private Commit commit(Samples.Tensor... tensors) throws IOException {
        CheckpointWriter writer = CheckpointWriter.open(new CheckpointStore(blobs), () -> {});
        var staged = new ArrayList<Staged>();
        for (Samples.Tensor tensor : tensors) {
            staged.add(writer.stage("rank" + staged.size(), new Contents(List.of(tensor))));
        }
        return writer.commit(Samples.description(1), staged);
    }

    private static Samples.Tensor part(TensorSpec spec, MemorySegment whole) {
        return new Samples.Tensor(spec, Cuts.gather(List.of(TABLE), List.of(whole), spec));
    }

    private static TensorSpec spec(String name, long... shape) {
        var dimensions = new ArrayList<Long>();
        for (long dimension : shape) {
            dimensions.add(dimension);
        }
        return new TensorSpec(name, ElementType.FLOAT32, dimensions, Role.WEIGHT);
    }
}
