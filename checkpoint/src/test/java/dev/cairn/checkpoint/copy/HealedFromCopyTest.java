package dev.cairn.checkpoint.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.Matching;
import dev.cairn.checkpoint.NothingToRestoreException;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.Selector;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.checkpoint.restore.Restorer;
import dev.cairn.codec.ElementType;
import dev.cairn.codec.parity.ParityLayout;
import dev.cairn.store.Role;
import dev.cairn.store.StorageUnavailableException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.ForwardingBlobStore;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.segment.SegmentRef;
import dev.cairn.store.segment.Spares;
import dev.cairn.store.spare.RunCopy;
import dev.cairn.testkit.DamagedRegion;
import dev.cairn.testkit.DamagedRegion.Damaged;
import dev.cairn.testkit.DamagedRegion.Kind;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What parity cannot heal is read from the copy of the run: the newest checkpoint is restored, bit for bit, and only
/// what is damaged is read from there.
class HealedFromCopyTest {
    private static final int BYTES = 300_000;
    private static final int REGION = 4096;
    private static final long SEED = 23;

    @TempDir
    Path folder;

    private final Random random = new Random(SEED);
    private final List<CheckpointEvent> events = new CopyOnWriteArrayList<>();
    private final MemorySegment restored = Arena.ofAuto().allocate(BYTES, 64);
    private Path run;
    private Path copy;
    private SegmentRef newest;

    /// A run of two bases with a copy, so that an older checkpoint stays where the newest is lost.
    @BeforeEach
    void train() throws IOException {
        run = folder.resolve("run");
        copy = folder.resolve("copy");
        newest = train(run, copy);
    }

    private SegmentRef train(Path there, Path copied) throws IOException {
        Files.createDirectory(copied);
        var options = CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1))
                .withLongestChain(0)
                .withoutLog()
                .withCopy(new LocalBlobStore(copied));
        try (Checkpoints checkpoints = Checkpoints.open(there, options)) {
            checkpoints.restoreLatest(state(restored));
            for (int step = 1; step <= 2; step++) {
                assertThat(checkpoints.saveNow(step, state(values(step))).isSaved())
                        .isTrue();
            }
        }
        List<Commit> copies = commits(copied);
        assertThat(copies).extracting(Commit::step).contains(2L);
        return commits(there).getLast().segments().getFirst();
    }

    private static List<Commit> commits(Path run) throws IOException {
        return new CheckpointStore(new LocalBlobStore(run)).history().currentCheckpoints();
    }

    /// Values that hardly compress.
    private static MemorySegment values(long step) {
        MemorySegment values = Arena.ofAuto().allocate(BYTES, 64);
        var random = new Random(step);
        for (long i = 0; i < BYTES / 4; i++) {
            values.setAtIndex(ValueLayout.JAVA_INT, i, random.nextInt());
        }
        return values;
    }

    private static TrainingState state(MemorySegment memory) {
        return TrainingState.of(LiveTensor.of("weights", Role.WEIGHT, ElementType.FLOAT32, memory, BYTES / 4));
    }

    /// Restores the newest checkpoint that can be restored, checks all its bits, and returns its step; empty if there
    /// is none.
    private OptionalLong restore(Spares spares) throws IOException {
        events.clear();
        restored.fill((byte) 0);
        var store = new CheckpointStore(new LocalBlobStore(run), spares);
        try {
            Commit found = new Restorer(store, events::add)
                    .restore(new Selector.Latest(), state(restored), Matching.WHOLE)
                    .orElseThrow();
            assertThat(restored.mismatch(values(found.step())))
                    .as("bits of step %d", found.step())
                    .isEqualTo(-1);
            return OptionalLong.of(found.step());
        } catch (NothingToRestoreException lost) {
            return OptionalLong.empty();
        }
    }

    private OptionalLong restore() throws IOException {
        return restore(new RunCopy(new LocalBlobStore(copy)));
    }

    private Path fileInCopy() throws IOException {
        return copy.resolve(commits(copy).getLast().segments().getFirst().name());
    }

    private Damaged noise(Path file, long offset) throws IOException {
        return new DamagedRegion(Kind.NOISE, file, offset, REGION, random.nextLong()).damage();
    }

    /// Damages two regions whose chunks share their parity.
    private void damageTwice(Path file, long offset) throws IOException {
        noise(file, offset);
        noise(file, offset + far());
    }

    /// The distance of chunks that share their parity.
    private long far() {
        return 10 * newest.layout().parityBytes();
    }

    /// Counts the bytes of segments that are read.
    private static final class CountedReads extends ForwardingBlobStore {
        private final AtomicLong bytes = new AtomicLong();
        private final AtomicLong operations = new AtomicLong();

        CountedReads(BlobStore below) {
            super(below);
        }

        @Override
        public List<String> list(String folder) throws IOException {
            operations.incrementAndGet();
            return super.list(folder);
        }

        @Override
        public BlobReader read(String name) throws IOException {
            operations.incrementAndGet();
            return new ForwardingReader(super.read(name)) {
                @Override
                public void read(long offset, MemorySegment target) throws IOException {
                    bytes.addAndGet(target.byteSize());
                    super.read(offset, target);
                }
            };
        }
    }

    @Test
    void twoFarDamagesHealAndOnlyOneOfThemIsReadFromTheCopy() throws IOException {
        damageTwice(run.resolve(newest.name()), 10_240);
        assertThat(restore(Spares.NONE)).hasValue(1);
        var counted = new CountedReads(new LocalBlobStore(copy));
        assertThat(restore(new RunCopy(counted))).hasValue(2);
        assertThat(counted.bytes.get()).isEqualTo(REGION);
        assertThat(events).singleElement().isInstanceOfSatisfying(CheckpointEvent.Healed.class, healed -> {
            assertThat(healed.text())
                    .isEqualTo("healed: %s from its parity and %d bytes of the copy".formatted(newest.name(), REGION));
        });
    }

    @Test
    void aCopyThatIsNotNeededIsNotRead() throws IOException {
        var counted = new CountedReads(new LocalBlobStore(copy));
        assertThat(restore(new RunCopy(counted))).hasValue(2);
        noise(run.resolve(newest.name()), 5000);
        assertThat(restore(new RunCopy(counted))).hasValue(2);
        assertThat(counted.operations.get()).isZero();
    }

    @Test
    void aCopyThatIsDamagedElsewhereIsEnough() throws IOException {
        damageTwice(run.resolve(newest.name()), 10_240);
        damageTwice(fileInCopy(), 150_000);
        noise(fileInCopy(), 10_240); // The other damage of the run's file is intact here.
        assertThat(restore()).hasValue(2);
    }

    @Test
    void whatBothHaveLostIsLost() throws IOException {
        damageTwice(run.resolve(newest.name()), 10_240);
        damageTwice(fileInCopy(), 10_240);
        assertThat(restore()).hasValue(1);
        assertThat(events)
                .singleElement()
                .isInstanceOfSatisfying(
                        CheckpointEvent.PassedOver.class,
                        passed -> assertThat(passed.reason())
                                .hasMessageContaining("parity does not heal it")
                                .hasMessageEndingWith("nor does the copy: it is damaged, too"));
    }

    @Test
    void headerIndexFooterAndBothTablesComeFromTheCopy() throws IOException {
        ParityLayout layout = newest.layout();
        Path file = run.resolve(newest.name());
        noise(file, 0);
        noise(file, far());
        noise(file, layout.firstTable() - REGION / 2);
        noise(file, layout.secondTable() - REGION / 2);
        assertThat(restore()).hasValue(2);
        try (var open = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
            open.truncate(1);
        }
        assertThat(restore()).hasValue(2);
        assertThat(events).singleElement().isInstanceOf(CheckpointEvent.Healed.class);
    }

    @Test
    void damageOfBothFilesHealsOrIsFound() throws IOException {
        damageBoth(60);
    }

    @Test
    @Tag("hostile")
    void muchDamageOfBothFilesHealsOrIsFound() throws IOException {
        damageBoth(2000);
    }

    private void damageBoth(int trials) throws IOException {
        Path file = run.resolve(newest.name());
        Path other = fileInCopy();
        int healed = 0;
        for (int trial = 0; trial < trials; trial++) {
            var damages = new ArrayList<Damaged>();
            try {
                for (int i = 0; i < 4; i++) {
                    damages.addFirst(DamagedRegion.random(file, 20_000, random).damage());
                }
                for (int i = 0; i < 3; i++) {
                    damages.addFirst(DamagedRegion.random(other, 20_000, random).damage());
                }
                healed += restore().orElseThrow() == 2 ? 1 : 0;
            } finally {
                for (Damaged damage : damages) {
                    damage.close();
                }
            }
        }
        assertThat(healed).as("newest checkpoints that healed").isBetween(trials / 4, trials - 1);
        assertThat(restore()).hasValue(2);
        assertThat(events).isEmpty();
    }

    @Test
    void theCopyOfAnotherRunIsNotRead() throws IOException {
        Path others = folder.resolve("copy of another");
        train(folder.resolve("another"), others);
        damageTwice(run.resolve(newest.name()), 10_240);
        var counted = new CountedReads(new LocalBlobStore(others));
        assertThat(restore(new RunCopy(counted))).hasValue(1);
        assertThat(counted.bytes.get()).isZero();
        assertThat(passedOver()).endsWith("nor does the copy: it does not have this file");
    }

    /// Its bytes are those of another file, whatever its record says.
    @Test
    void aFileOfTheCopyThatWasReplacedGivesNoBits() throws IOException {
        damageTwice(run.resolve(newest.name()), 10_240);
        Path older = run.resolve(commits(run).getFirst().segments().getFirst().name());
        Files.write(fileInCopy(), Files.readAllBytes(older));
        assertThat(restore()).hasValue(1);
    }

    @Test
    void aCopyThatCannotBeReadIsToldInTheSameLine() throws IOException {
        damageTwice(run.resolve(newest.name()), 10_240);
        assertThat(restore(new RunCopy(new LocalBlobStore(folder.resolve("nowhere")))))
                .hasValue(1);
        assertThat(passedOver()).contains("nor does the copy: ");
        var unreachable = new ForwardingBlobStore(new LocalBlobStore(copy)) {
            @Override
            public List<String> list(String folder) throws IOException {
                throw new StorageUnavailableException("storage unavailable: no route to host; check the network");
            }
        };
        assertThat(restore(new RunCopy(unreachable))).hasValue(1);
        assertThat(passedOver())
                .endsWith("nor does the copy: storage unavailable: no route to host; check the network");
    }

    private String passedOver() {
        assertThat(events).hasSize(1);
        return String.valueOf(
                ((CheckpointEvent.PassedOver) events.getFirst()).reason().getMessage());
    }
}
