package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.restore.Restorer;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Role;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.segment.SegmentRef;
import dev.cairn.testkit.DamagedRegion;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// One damaged region of up to a hundredth of any file of a run with a large segment heals wherever it is: the newest
/// checkpoint is restored, bit for bit, and the restore says what it healed. Two damaged regions are found, or they
/// heal.
/// They never give wrong bits.
class HealedRunTest {
    private static final int MEDIUM = 1_500_000;

    /// Such a segment is written past the system's cache.
    private static final int LARGE = 40_000_000;

    private static final int MOST_TRIALS = 2000;

    /// Each size with each codec takes some of the places.
    private static final int TRIALS = 30;
    private static final long SEED = 18;

    @TempDir
    Path run;

    private final Random random = new Random(SEED);
    private final List<CheckpointEvent> events = new ArrayList<>();
    private MemorySegment expected = MemorySegment.NULL;
    private MemorySegment restored = MemorySegment.NULL;

    /// A run of two checkpoints.
    ///
    /// @param base the large segment of the first
    /// @param newest the second, which needs it
    private record Trained(SegmentRef base, Commit newest) {}

    @ParameterizedTest
    @CsvSource({MEDIUM + ",lossless", MEDIUM + ",lossy", LARGE + ",lossless"})
    void aDamagedRegionHeals(int bytes, String codec) throws IOException {
        damageRegions(bytes, codec, bytes == LARGE ? TRIALS / 3 : TRIALS);
    }

    /// 32 s for the medium runs together and 116 s for the large one on two busy cores.
    @ParameterizedTest
    @CsvSource({MEDIUM + ",lossless", MEDIUM + ",lossy", LARGE + ",lossless"})
    @Tag("hostile")
    void manyDamagedRegionsHeal(int bytes, String codec) throws IOException {
        damageRegions(bytes, codec, bytes == LARGE ? MOST_TRIALS : MOST_TRIALS / 2);
    }

    @Test
    void twoDamagedRegionsHealOrAreFound() throws IOException {
        damageTwoRegions(60);
    }

    @Test
    @Tag("hostile")
    void manyPairsOfDamagedRegionsHealOrAreFound() throws IOException {
        damageTwoRegions(MOST_TRIALS);
    }

    private void damageRegions(int bytes, String codec, int trials) throws IOException {
        Trained trained = train(bytes, codec);
        SegmentRef segment = trained.base();
        assertThat(segment.sizeBytes()).isBetween(bytes * 9L / 10, bytes * 11L / 10);
        List<Path> others = otherFiles(segment);
        int told = 0;
        for (int trial = 0; trial < trials; trial++) {
            boolean inSegment = random.nextInt(4) > 0; // it is nearly all of the run, but one of several files
            Path file = inSegment ? run.resolve(segment.name()) : others.get(random.nextInt(others.size()));
            var region = DamagedRegion.random(file, Math.max(4096, Files.size(file) / 100), random);
            try (var _ = region.damage()) {
                assertThat(restore()).as("%s", region).contains(trained.newest());
                assertThat(restored.mismatch(expected)).as("%s", region).isEqualTo(-1);
                boolean noticed = inSegment
                        ? region.offset() < segment.layout().contentBytes() || region.isTruncation()
                        : file.toString().endsWith(".rec");
                boolean unnoticed = inSegment || file.toString().endsWith(".twin");
                assertThat(events).as("%s", region).hasSizeBetween(noticed ? 1 : 0, noticed || !unnoticed ? 1 : 0);
                assertThat(events)
                        .allSatisfy(event -> assertThat(event)
                                .isInstanceOfSatisfying(
                                        CheckpointEvent.Healed.class,
                                        healed -> assertThat(run.resolve(
                                                        healed.damage().file()))
                                                .isEqualTo(file)));
                told += events.size();
            }
        }
        assertThat(told).as("damages that a restore noticed").isGreaterThan(trials / 2);
        assertThat(restore()).contains(trained.newest());
        assertThat(events).isEmpty();
    }

    /// The small segment, the records and their twins.
    private List<Path> otherFiles(SegmentRef segment) throws IOException {
        try (Stream<Path> files = Files.walk(run)) {
            List<Path> all = files.filter(file -> file.toString().matches(".*\\.(seg|rec|twin)"))
                    .filter(file -> !file.endsWith(segment.name()))
                    .sorted()
                    .toList();
            assertThat(all).hasSize(1 + 2 + 2);
            return all;
        }
    }

    private void damageTwoRegions(int trials) throws IOException {
        SegmentRef segment = train(MEDIUM, "lossless").base();
        int refused = 0;
        for (int trial = 0; trial < trials; trial++) {
            var first = DamagedRegion.random(run.resolve(segment.name()), mostBytes(segment), random);
            try (var _ = first.damage()) {
                var second = DamagedRegion.random(run.resolve(segment.name()), mostBytes(segment), random);
                try (var _ = second.damage()) {
                    if (restore().isPresent()) {
                        assertThat(restored.mismatch(expected))
                                .as("%s and %s", first, second)
                                .isEqualTo(-1);
                    } else {
                        refused++;
                    }
                }
            }
        }
        assertThat(refused).as("pairs that do not heal").isPositive().isLessThan(trials);
    }

    private static long mostBytes(SegmentRef segment) {
        return Math.max(4096, segment.sizeBytes() / 100);
    }

    /// The newest checkpoint, in the memory that is compared; empty where nothing could be restored.
    private Optional<Commit> restore() throws IOException {
        events.clear();
        restored.fill((byte) 0);
        try {
            return new Restorer(store(), events::add).restore(new Selector.Latest(), state(restored), Matching.WHOLE);
        } catch (NothingToRestoreException damaged) {
            return Optional.empty();
        }
    }

    private CheckpointStore store() {
        return new CheckpointStore(new LocalBlobStore(run));
    }

    private static TrainingState state(MemorySegment memory) {
        return TrainingState.of(
                LiveTensor.of("weights", Role.WEIGHT, ElementType.FLOAT32, memory, memory.byteSize() / 4));
    }

    /// A base whose values hardly compress, and a small delta that needs all of it.
    private Trained train(int bytes, String codec) throws IOException {
        expected = Arena.ofAuto().allocate(bytes / 4 * 4L, 64);
        restored = Arena.ofAuto().allocate(expected.byteSize(), 64);
        long count = expected.byteSize() / 4;
        for (long i = 0; i < count; i++) {
            // Any sign and mantissa, and exponents of some size that the codecs need not store apart.
            int exponent = 96 + random.nextInt(64);
            expected.setAtIndex(ValueLayout.JAVA_INT, i, (random.nextInt() & 0x807F_FFFF) | (exponent << 23));
        }
        var options = CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1))
                .withCodec(Codec.parse(codec))
                .withoutLog();
        try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
            checkpoints.restoreLatest(state(restored));
            for (int step = 1; step <= 2; step++) {
                for (long i = step; i < count; i += 50) {
                    expected.setAtIndex(
                            ValueLayout.JAVA_FLOAT, i, expected.getAtIndex(ValueLayout.JAVA_FLOAT, i) * 1.001f);
                }
                checkpoints.afterStep(step, state(expected));
                checkpoints.awaitSave();
            }
        }
        List<Commit> there = store().history().currentCheckpoints();
        assertThat(there).hasSize(2);
        assertThat(restore()).contains(there.getLast());
        assertThat(restored.mismatch(expected) == -1).as("exact").isEqualTo(codec.equals("lossless"));
        expected.copyFrom(restored);
        assertThat(there.getLast().parent()).as("the newest is a delta").isNotNull();
        return new Trained(there.getFirst().segments().getFirst(), there.getLast());
    }
}
