package dev.cairn.store.reading;

import static dev.cairn.store.ChainSamples.moments;
import static dev.cairn.store.ChainSamples.weights;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.ChainSamples;
import dev.cairn.store.Damage;
import dev.cairn.store.DamagedException;
import dev.cairn.store.NewerFormatException;
import dev.cairn.store.Samples;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointReader.Piece;
import dev.cairn.store.segment.SegmentFormat;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Reads chains by range, on several threads, and without frames that later ones overwrite.
class CheckpointReaderTest {
    private static final int BLOCK = 1 << 16;
    private static final TensorSpec BYTES = weights("bytes", ElementType.UINT8, 3 * BLOCK + 777);
    private static final TensorSpec FLOATS = weights("floats", ElementType.FLOAT32, 70_000);
    private static final TensorSpec DROPPED = moments("dropped", 70_000);
    private static final TensorSpec EMPTY = weights("empty", ElementType.INT64, 0);

    private final MemoryBlobStore blobs = new MemoryBlobStore();

    private ChainSamples chain(int deltas, TensorSpec... specs) throws IOException {
        var chain = new ChainSamples(blobs, List.of(specs));
        for (int i = 0; i <= deltas; i++) {
            last = chain.commit();
        }
        return chain;
    }

    private Commit last = new Commit(1, "0", 0, Samples.TIME, null, "", "", 0, 0, Attributes.empty(), List.of());

    @Test
    void aRangeIsThatPartOfTheTensor() throws IOException {
        ChainSamples chain = chain(2, BYTES, FLOATS, DROPPED, EMPTY);
        try (CheckpointReader reader = chain.store().open(last)) {
            assertRanges(reader, BYTES, chain.values().get(0), BLOCK);
            assertRanges(reader, FLOATS, chain.values().get(1), 4 * BLOCK);
            assertRanges(reader, DROPPED, chain.values().get(2), 4 * BLOCK);
            reader.read(EMPTY, MemorySegment.ofArray(new byte[0]));
        }
    }

    private static void assertRanges(CheckpointReader reader, TensorSpec spec, MemorySegment expected, int block)
            throws IOException {
        var edges = new ArrayList<Long>();
        for (long edge : new long[] {0, block, 2L * block, spec.sizeBytes()}) {
            for (long offset = edge - 1; offset <= edge + 1; offset++) {
                edges.add(Math.clamp(offset, 0, spec.sizeBytes()));
            }
        }
        var random = new Random(3);
        edges.add(random.nextLong(spec.sizeBytes()));
        edges.add(random.nextLong(spec.sizeBytes()));
        for (long from : edges) {
            for (long to : edges) {
                if (from <= to) {
                    MemorySegment part =
                            Arena.ofAuto().allocate(Math.max(1, to - from)).asSlice(0, to - from);
                    reader.read(spec, from, part);
                    assertThat(part.mismatch(expected.asSlice(from, to - from)))
                            .as("%s from %d to %d", spec, from, to)
                            .isEqualTo(-1);
                }
            }
        }
    }

    @Test
    void aRangeNeedsNoOtherBlocks() throws IOException {
        ChainSamples chain = chain(1, BYTES);
        damageFirstBlock(last);
        MemorySegment part = MemorySegment.ofArray(new byte[BLOCK + 10]);
        try (CheckpointReader reader = chain.store().open(last)) {
            reader.read(BYTES, BLOCK, part);
            assertThat(part.mismatch(chain.values().getFirst().asSlice(BLOCK, BLOCK + 10)))
                    .isEqualTo(-1);
            assertThatThrownBy(() -> reader.read(BYTES, BLOCK - 1, part))
                    .isInstanceOf(DamagedException.class)
                    .hasMessageContaining(last.segments().getFirst().name())
                    .hasMessageContaining("block 0 at offset 28: expected crc32c=");
        }
    }

    @Test
    void aRangeOutsideItsTensorIsRefused() throws IOException {
        ChainSamples chain = chain(0, BYTES);
        MemorySegment part = MemorySegment.ofArray(new byte[10]);
        try (CheckpointReader reader = chain.store().open(last)) {
            assertThatThrownBy(() -> reader.read(BYTES, -1, part)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> reader.read(BYTES, BYTES.sizeBytes() - 9, part))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("offset=%d bytes=10".formatted(BYTES.sizeBytes() - 9));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8})
    void severalThreadsGiveWhatOneDoes(int threads) throws IOException {
        ChainSamples chain =
                chain(2, BYTES, FLOATS, DROPPED, EMPTY, weights("large", ElementType.UINT8, 30 * BLOCK + 1));
        List<Piece> pieces = chain.wholes();
        try (CheckpointReader reader = chain.store().open(last)) {
            reader.read(pieces, threads);
        }
        for (int i = 0; i < pieces.size(); i++) {
            assertThat(pieces.get(i).target().mismatch(chain.values().get(i))).isEqualTo(-1);
        }
    }

    @Test
    void memoryOfOneThreadIsFilledByThatThread() throws IOException {
        TensorSpec large = weights("large", ElementType.UINT8, 40 * BLOCK);
        ChainSamples chain = chain(1, large);
        try (var arena = Arena.ofConfined();
                CheckpointReader reader = chain.store().open(last)) {
            MemorySegment target = arena.allocate(large.sizeBytes());
            reader.read(List.of(new Piece(large, target)), 4);
            assertThat(target.mismatch(chain.values().getFirst())).isEqualTo(-1);
        }
    }

    @Test
    void everyFlippedBitIsFoundOnSeveralThreadsOrChangesNothing() throws IOException {
        var specs = new ArrayList<TensorSpec>();
        for (int i = 0; i < 12; i++) {
            specs.add(weights("w" + i, ElementType.UINT8, 90));
            specs.add(moments("m" + i, 3));
        }
        ChainSamples chain = chain(2, specs.toArray(TensorSpec[]::new));
        int unnoticed = 0;
        int flips = 0;
        for (Commit link : chain.store().history().chain(last)) {
            String file = link.segments().getFirst().name();
            byte[] good = content(file);
            byte[] unprotected = Damage.withoutTables(good);
            for (int bit = 0; bit < 8 * Damage.contentBytes(good); bit += 13) {
                byte[] bad = unprotected.clone();
                bad[bit / 8] = (byte) (bad[bit / 8] ^ 1 << bit % 8);
                blobs.blobs.put(file, bad);
                unnoticed += readsRight(chain, "bit " + bit + " of " + file) ? 1 : 0;
                flips++;
                assertThat(StoreVerifier.verify(chain.store(), Depth.FULL, c -> {})
                                .damaged())
                        .as("bit %d of %s", bit, file)
                        .extracting(StoreVerifier.DamagedFile::file)
                        .containsExactly(file);
            }
            blobs.blobs.put(file, good);
        }
        // Only the moments of the two older checkpoints, which the newest drops, may be damaged without harm.
        assertThat(unnoticed).isPositive().isLessThan(flips / 3);
    }

    private boolean readsRight(ChainSamples chain, String what) throws IOException {
        List<Piece> pieces = chain.wholes();
        try (CheckpointReader reader = chain.store().open(last)) {
            reader.read(pieces, 3);
        } catch (DamagedException | NewerFormatException expected) {
            return false;
        }
        for (int i = 0; i < pieces.size(); i++) {
            assertThat(pieces.get(i).target().mismatch(chain.values().get(i)))
                    .as(what)
                    .isEqualTo(-1);
        }
        return true;
    }

    @Test
    void whatIsOverwrittenIsNotRead() throws IOException {
        ChainSamples chain = chain(3, DROPPED);
        for (Commit link : chain.store().history().chain(last)) {
            if (link.number() != last.number()) {
                damageFirstBlock(link);
            }
        }
        MemorySegment target = Arena.ofAuto().allocate(DROPPED.sizeBytes()).fill((byte) 1);
        try (CheckpointReader reader = chain.store().open(last)) {
            reader.read(DROPPED, target);
        }
        assertThat(target.mismatch(chain.values().getFirst())).isEqualTo(-1);
        assertThat(StoreVerifier.verify(chain.store(), Depth.FULL, c -> {}).damaged())
                .hasSize(3);
    }

    @Test
    void aDeltaWithoutWhatItChangesIsDamaged() throws IOException {
        ChainSamples chain = chain(1, BYTES);
        try (CheckpointReader alone = chain.store().open(List.of(last))) {
            assertThatThrownBy(() -> alone.read(BYTES, Arena.ofAuto().allocate(BYTES.sizeBytes())))
                    .isInstanceOf(DamagedException.class)
                    .hasMessageContaining("block 0 of tensor bytes uint8[197385] needs a parent that has this block");
        }
    }

    @Test
    void longChainsOfLargeFramesAreReadInBoundedMemory() throws IOException {
        TensorSpec large = weights("large", ElementType.FLOAT32, BLOCK);
        ChainSamples chain = chain(40, large);
        MemorySegment target = Arena.ofAuto().allocate(large.sizeBytes());
        try (CheckpointReader reader = chain.store().open(last)) {
            reader.read(large, target);
        }
        assertThat(chain.store().history().chain(last).stream()
                        .mapToLong(Commit::storedBytes)
                        .sum())
                .as("more than a workspace keeps")
                .isGreaterThan(4 << 20);
        assertThat(target.mismatch(chain.values().getFirst())).isEqualTo(-1);
    }

    private byte[] content(String file) {
        byte[] content = blobs.blobs.get(file);
        assertThat(content).isNotNull();
        return content;
    }

    private void damageFirstBlock(Commit checkpoint) {
        String file = checkpoint.segments().getFirst().name();
        blobs.blobs.put(file, Damage.at(content(file), SegmentFormat.HEADER_BYTES + 2));
    }
}
