package dev.cairn.store.scrub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.codec.ElementType;
import dev.cairn.store.ChainSamples;
import dev.cairn.store.Damage;
import dev.cairn.store.Samples;
import dev.cairn.store.StorageUnavailableException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.FaultyBlobStore;
import dev.cairn.store.blob.FaultyBlobStore.Fault;
import dev.cairn.store.blob.ForwardingBlobStore;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.blob.ReadHookBlobStore;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.segment.SegmentRef;
import dev.cairn.store.segment.Spares;
import dev.cairn.store.writing.CheckpointWriter;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A check of a file heals what heals, says what does not, and changes nothing else.
class FileCheckTest {
    private static final int REGION = 4096;

    private final MemoryBlobStore blobs = new MemoryBlobStore();
    private final Map<String, byte[]> sound;
    private final Commit newest;
    private final SegmentRef segment;

    /// A run of two checkpoints that do not need each other.
    FileCheckTest() throws IOException {
        var specs = List.of(ChainSamples.weights("w", ElementType.FLOAT32, 20_000));
        segment = new ChainSamples(blobs, specs).commit().segments().getFirst();
        newest = new ChainSamples(blobs, specs).commit();
        sound = Map.copyOf(blobs.blobs);
    }

    private static FileCheck check(BlobStore blobs) throws IOException {
        var store = new CheckpointStore(blobs);
        return new FileCheck(store, CheckpointWriter.open(store, () -> {}), _ -> {});
    }

    private byte[] original() {
        return Objects.requireNonNull(sound.get(segment.name()));
    }

    private void damage(byte[] damaged) {
        blobs.blobs.put(segment.name(), damaged);
    }

    @Test
    void aGoodFileIsLeftAlone() throws IOException {
        assertThat(check(blobs).segment(segment)).isEqualTo(new Verdict.Good());
        assertThat(check(blobs).records()).isEmpty();
        assertThat(blobs.blobs).containsExactlyInAnyOrderEntriesOf(sound);
    }

    @Test
    void whatHealsIsRewrittenAsItWas() throws IOException {
        var random = new Random(1);
        byte[] original = original();
        FileCheck check = check(blobs);
        for (int trial = 0; trial < 60; trial++) {
            byte[] damaged = damaged(original, trial, random);
            damage(damaged);
            Verdict verdict = check.segment(segment);
            assertThat(verdict).as("trial %d", trial).isInstanceOfSatisfying(Verdict.Rewritten.class, rewritten -> {
                assertThat(rewritten.damage().file()).isEqualTo(segment.name());
                assertThat(rewritten.source()).isEqualTo("its parity");
            });
            assertThat(blobs.blobs).containsExactlyInAnyOrderEntriesOf(sound);
        }
    }

    private static byte[] damaged(byte[] original, int trial, Random random) {
        return switch (trial % 3) {
            case 0 -> Arrays.copyOf(original, original.length - 1 - random.nextInt(REGION));
            case 1 -> Arrays.copyOf(original, original.length + 1 + random.nextInt(REGION));
            default -> {
                byte[] damaged = original.clone();
                int at = random.nextInt(original.length);
                for (int i = at; i < Math.min(original.length, at + REGION); i++) {
                    damaged[i] ^= (byte) (1 + random.nextInt(255));
                }
                yield damaged;
            }
        };
    }

    @Test
    void whatDoesNotHealIsToldAndLeftAlone() throws IOException {
        for (byte[] damaged : List.of(
                Damage.inTheMiddle(original()), Arrays.copyOf(original(), original().length / 2), new byte[0])) {
            damage(damaged);
            assertThat(check(blobs).segment(segment))
                    .isInstanceOfSatisfying(
                            Verdict.Lost.class,
                            lost -> assertThat(lost.damage().file()).isEqualTo(segment.name()));
            assertThat(blobs.blobs.get(segment.name())).isEqualTo(damaged);
        }
        blobs.blobs.remove(segment.name());
        assertThat(check(blobs).segment(segment))
                .isInstanceOfSatisfying(
                        Verdict.Lost.class,
                        lost -> assertThat(lost.damage().reason()).startsWith("file is missing"));
        assertThat(blobs.blobs).doesNotContainKey(segment.name());
    }

    @Test
    void theFileOfAnotherSegmentIsDamage() throws IOException {
        damage(Objects.requireNonNull(sound.get(newest.segments().getFirst().name())));
        assertThat(check(blobs)
                        .segment(segment.copied(
                                segment.name(), newest.segments().getFirst().layout())))
                .isInstanceOf(Verdict.Lost.class);
    }

    @Test
    void aRemovedFileIsNotDamage() throws IOException {
        FileCheck check = check(blobs);
        prune();
        assertThat(check.segment(segment)).isEqualTo(new Verdict.Gone());
        assertThat(check.records()).isEmpty();
    }

    /// Another thread of the writer removes the first checkpoint.
    private void prune() throws IOException {
        var store = new CheckpointStore(blobs);
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        writer.keepOnly(0, List.of(newest.number()), Samples.TIME);
        CheckpointWriter.open(store, () -> {});
        assertThat(blobs.blobs).doesNotContainKey(segment.name());
    }

    /// Before any read of the check, and so also right before the file is put in its place.
    @Test
    void aFileThatIsRemovedDuringTheCheckDoesNotComeBack() throws IOException {
        byte[] damaged = original().clone();
        damaged[100] ^= 1;
        for (int stopAt = 1; ; stopAt++) {
            blobs.blobs.clear();
            blobs.blobs.putAll(sound);
            damage(damaged);
            var armed = new AtomicInteger(Integer.MAX_VALUE);
            var operations = new AtomicInteger();
            var hooked = new ReadHookBlobStore(blobs, (_, _) -> {
                if (operations.incrementAndGet() == armed.get()) {
                    prune();
                }
            });
            FileCheck check = check(hooked);
            operations.set(0);
            armed.set(stopAt);
            Verdict verdict = check.segment(segment);
            if (operations.get() < stopAt) {
                assertThat(verdict).isInstanceOf(Verdict.Rewritten.class);
                assertThat(stopAt).isGreaterThan(5);
                return;
            }
            assertThat(blobs.blobs).as("removed before read %d", stopAt).doesNotContainKey(segment.name());
        }
    }

    /// The file rots on while it is checked: it is read again from the start, or by the next check.
    @Test
    void damageThatGrowsDuringTheCheckHealsToo() throws IOException {
        byte[] damaged = original().clone();
        damaged[100] ^= 1;
        for (int growsAt = 1; ; growsAt++) {
            damage(damaged.clone());
            var reads = new AtomicInteger();
            int at = growsAt;
            FileCheck check = check(new ReadHookBlobStore(blobs, (name, offset) -> {
                if (name.equals(segment.name()) && offset >= 0 && reads.incrementAndGet() == at) {
                    Objects.requireNonNull(blobs.blobs.get(name))[2000] ^= 1;
                }
            }));
            try {
                assertThat(check.segment(segment)).as("before read %d", at).isInstanceOf(Verdict.Rewritten.class);
            } catch (IOException afterTheRewrite) {
                assertThat(afterTheRewrite).hasMessageContaining("was rewritten and is damaged again");
            }
            if (reads.get() < at) {
                return;
            }
            check.segment(segment);
            assertThat(blobs.blobs).containsExactlyInAnyOrderEntriesOf(sound);
        }
    }

    @Test
    void aReadErrorIsNotDamage() throws IOException {
        FileCheck check = check(new ReadHookBlobStore(blobs, (name, offset) -> {
            if (name.equals(segment.name()) && offset >= 0) {
                throw new IOException("Input/output error");
            }
        }));
        assertThatThrownBy(() -> check.segment(segment)).isInstanceOf(StorageUnavailableException.class);
        assertThat(blobs.blobs).containsExactlyInAnyOrderEntriesOf(sound);
    }

    /// Each operation of the check and the rewrite fails in turn, or the process dies there: the file is damaged and
    /// heals, or it is as it was. Nothing else changes, and the next check ends the work.
    @ParameterizedTest
    @EnumSource(Outage.class)
    void aFaultAtAnyOperationLosesNothing(Outage outage) throws IOException {
        byte[] damaged = original().clone();
        Arrays.fill(damaged, 5000, 9000, (byte) 7);
        for (int failAt = 1; ; failAt++) {
            blobs.blobs.clear();
            blobs.blobs.putAll(sound);
            damage(damaged);
            FaultyBlobStore faulty = outage.at(blobs, failAt);
            Verdict verdict = null;
            try {
                verdict = check(faulty).segment(segment);
            } catch (IOException injected) {
                assertThat(faulty.faultHappened()).isTrue();
            }
            var others = new HashMap<>(blobs.blobs);
            assertThat(others.remove(segment.name())).isIn(damaged, original());
            assertThat(others.keySet()).isEqualTo(without(segment.name()));
            assertThat(losses()).isEmpty();
            if (!faulty.faultHappened()) {
                assertThat(verdict).isInstanceOf(Verdict.Rewritten.class);
                assertThat(failAt).isGreaterThan(3);
                return;
            }
            check(blobs).segment(segment);
            assertThat(blobs.blobs).containsExactlyInAnyOrderEntriesOf(sound);
        }
    }

    /// How an operation fails.
    enum Outage {
        BEFORE,
        AFTER,
        KILL;

        FaultyBlobStore at(BlobStore blobs, int operation) {
            return switch (this) {
                case BEFORE -> new FaultyBlobStore(blobs, Fault.BEFORE, operation);
                case AFTER -> new FaultyBlobStore(blobs, Fault.AFTER, operation);
                case KILL -> FaultyBlobStore.killedAt(blobs, operation);
            };
        }
    }

    private Map<Long, ?> losses() throws IOException {
        var store = new CheckpointStore(blobs);
        return StoreVerifier.damage(store, store.history()).lost();
    }

    private Set<String> without(String name) {
        var others = new HashMap<>(sound);
        others.remove(name);
        return others.keySet();
    }

    /// The system's cache may have the right bytes of what the disk has lost.
    @Test
    void whatTheDiskHasCountsAndNotWhatTheCacheHas() throws IOException {
        var cache = new MemoryBlobStore();
        var disk = new ForwardingBlobStore(blobs) {
            @Override
            public BlobReader read(String name) throws IOException {
                return cache.blobs.containsKey(name) ? cache.read(name) : super.read(name);
            }

            @Override
            public byte[] readAll(String name, long most) throws IOException {
                return cache.blobs.containsKey(name) ? cache.readAll(name, most) : super.readAll(name, most);
            }
        };
        var store = new CheckpointStore(disk);
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        writer.healRecord(newest.number()); // creates the twin
        var check = new FileCheck(store, writer, _ -> {});
        for (String file : List.of(segment.name(), RunFiles.record(newest.number()), RunFiles.twin(newest.number()))) {
            byte[] good = Objects.requireNonNull(blobs.blobs.get(file));
            byte[] damaged = good.clone();
            damaged[100] ^= 1;
            cache.blobs.put(file, good);
            blobs.blobs.put(file, damaged);
            List<Verdict> verdicts = file.equals(segment.name()) ? List.of(check.segment(segment)) : check.records();
            assertThat(verdicts).as(file).singleElement().isInstanceOf(Verdict.Rewritten.class);
            assertThat(blobs.blobs.get(file)).as(file).isEqualTo(good);
        }
    }

    /// A disk that does not keep what is written to it.
    @Test
    void aFileThatIsDamagedAgainIsNotCalledRewritten() throws IOException {
        byte[] damaged = original().clone();
        damaged[100] ^= 1;
        damage(damaged);
        var disk = new ForwardingBlobStore(blobs) {
            @Override
            public BlobWriter replace(String name) throws IOException {
                return new ForwardingWriter(super.replace(name)) {
                    @Override
                    public void finish() throws IOException {
                        super.finish();
                        damage(damaged);
                    }
                };
            }
        };
        FileCheck check = check(disk);
        assertThatThrownBy(() -> check.segment(segment)).hasMessageContaining("is damaged again; check the disk");
    }

    @Test
    void damagedRecordsWithoutTwinsAreTold() throws IOException {
        String record = RunFiles.record(newest.number());
        byte[] damaged = Objects.requireNonNull(sound.get(record)).clone();
        damaged[50] ^= 1;
        blobs.blobs.put(record, damaged);
        blobs.blobs.remove(RunFiles.twin(newest.number()));
        assertThat(check(blobs).records())
                .singleElement()
                .isInstanceOfSatisfying(
                        Verdict.Lost.class,
                        lost -> assertThat(lost.damage().file()).isEqualTo(record));
    }

    /// A record and its twin rewrite each other. Nothing else changes.
    @Test
    void aDamagedRecordIsRewrittenFromItsTwinAndTheOtherWayRound() throws IOException {
        var store = new CheckpointStore(blobs);
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        for (Commit checkpoint : store.history().currentCheckpoints()) {
            writer.healRecord(checkpoint.number()); // creates the twin
        }
        var check = new FileCheck(store, writer, _ -> {});
        Map<String, byte[]> twins = Map.copyOf(blobs.blobs);
        assertThat(twins).containsKey(RunFiles.twin(newest.number()));
        for (String file : List.of(RunFiles.record(newest.number()), RunFiles.twin(newest.number()))) {
            byte[] damaged = Objects.requireNonNull(twins.get(file)).clone();
            damaged[50] ^= 1;
            blobs.blobs.put(file, damaged);
            assertThat(check.records()).singleElement().isInstanceOfSatisfying(Verdict.Rewritten.class, rewritten -> {
                assertThat(rewritten.damage().file()).isEqualTo(file);
                assertThat(rewritten.source()).isEqualTo(file.endsWith(".twin") ? "its record" : "its twin");
            });
            assertThat(blobs.blobs).containsExactlyInAnyOrderEntriesOf(twins);
            assertThat(check.records()).isEmpty();
        }
        String record = RunFiles.record(newest.number());
        blobs.blobs.remove(record);
        assertThat(check.records())
                .singleElement()
                .isInstanceOfSatisfying(
                        Verdict.Rewritten.class,
                        rewritten -> assertThat(rewritten.damage().file()).isEqualTo(record));
        assertThat(blobs.blobs).containsExactlyInAnyOrderEntriesOf(twins);
    }

    /// Where both tables are damaged, parity heals nothing. The copy has them.
    @Test
    void whatParityDoesNotHealIsTakenFromTheCopy() throws IOException {
        var copy = new MemoryBlobStore();
        copy.blobs.putAll(sound);
        damage(Damage.inTheMiddle(original()));
        var store = new CheckpointStore(blobs, wanted -> Optional.of(new Spares.Spare(copy, wanted.name())));
        var check = new FileCheck(store, CheckpointWriter.open(store, () -> {}), _ -> {});
        assertThat(check.segment(segment))
                .isInstanceOfSatisfying(
                        Verdict.Rewritten.class,
                        rewritten -> assertThat(rewritten.source()).startsWith("its parity and"));
        assertThat(blobs.blobs).containsExactlyInAnyOrderEntriesOf(sound);
    }

    @Test
    void notesAreReadBackAndMayBeLostOrDamaged() throws IOException {
        var notes = ScrubNotes.of(blobs);
        notes.checked(segment.name(), Set.of(), Samples.TIME);
        notes.lost("segments/x", "reason");
        notes.rewritten();
        check(blobs).write(notes);
        var read = ScrubNotes.of(blobs);
        assertThat(read.checked(segment.name())).contains(Samples.TIME);
        assertThat(read.damaged()).containsExactly(Map.entry("segments/x", "reason"));
        assertThat(read.rewriteCount()).isEqualTo(1);

        byte[] file = Objects.requireNonNull(blobs.blobs.get(RunFiles.SCRUB));
        for (int length = 0; length < file.length; length++) {
            blobs.blobs.put(RunFiles.SCRUB, Arrays.copyOf(file, length));
            assertThat(ScrubNotes.of(blobs).rewriteCount()).isZero();
        }
        var elsewhere = new MemoryBlobStore();
        elsewhere.blobs.put(RunFiles.SCRUB, file);
        assertThat(ScrubNotes.of(elsewhere).checked(segment.name())).isEmpty();
    }
}
