package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.restore.Restorer;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.DamagedFile;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointReader;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.segment.TensorRef;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Damages every file of small runs that contain everything (a base, deltas, merged and removed checkpoints, a
/// tensor with two names). One damaged region of up to 4 KiB heals: the newest checkpoint is restored, bit for bit,
/// and the restore says what it healed. Two damaged regions heal, or a restore finds them, restores an older
/// checkpoint and says so. It never returns wrong bits.
class DamagedRunTest {
    private static final int VALUES = 1024;
    private static final int STEPS = 8;

    /// Damage of this size heals anywhere in a file.
    private static final int REGION = 4096;

    /// A verification of the whole run takes longer than a restore.
    private static final int RESTORES_PER_VERIFICATION = 16;

    private static final int RESTORES_PER_START = 50;

    /// So many places of each file with patterns.
    private static final int PLACES = 5;

    @TempDir
    Path folder;

    private final Map<String, List<MemorySegment>> expected = new HashMap<>();
    private TrainingState target = new TiedState();
    private FrozenRun run = new FrozenRun();
    private String newest = "";
    private int trials;
    private int told;
    private int toldOfSegments;

    static Set<String> codecs() {
        return new TreeSet<>(GoldenRuns.CODECS.values());
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void someDamagedRegionsHeal(String codec) throws IOException {
        train(codec);
        var random = new Random(codec.hashCode());
        for (String file : files()) {
            byte[] good = run.content(file);
            flip(file, good, random.nextInt(good.length), random);
            noise(file, good, random.nextInt(good.length));
            truncate(file, good, 1 + random.nextInt(Math.min(REGION, good.length)));
        }
        assertSomeWereTold();
        damageTwice(10, random);
    }

    /// A matrix of two blocks whose rows have patterns.
    @Test
    void damagedPatternsHeal() throws IOException {
        run = new FrozenRun(GoldenRuns.copy(
                Path.of("src", "test", "resources", "golden", GoldenRuns.PATTERNS), folder.resolve("run")));
        target = GoldenRuns.state(GoldenRuns.PATTERNS);
        rememberAll(new CheckpointStore(run), true);
        var random = new Random(1);
        for (String file : files()) {
            byte[] good = run.content(file);
            for (int i = 0; i < PLACES; i++) {
                flip(file, good, random.nextInt(good.length), random);
                noise(file, good, random.nextInt(good.length));
            }
        }
        assertSomeWereTold();
    }

    /// One flipped bit in every byte, noise at every 512th byte, every truncation, of every file: 50 to 95 s a codec on
    /// two busy cores.
    @ParameterizedTest
    @MethodSource("codecs")
    @Tag("hostile")
    void everyDamagedRegionHeals(String codec) throws IOException {
        train(codec);
        var random = new Random(codec.hashCode());
        for (String file : files()) {
            byte[] good = run.content(file);
            for (int at = 0; at < good.length; at++) {
                flip(file, good, at, random);
            }
            for (int at = 0; at < good.length; at += 512) {
                noise(file, good, at);
            }
            for (int lost = 1; lost <= Math.min(REGION, good.length); lost++) {
                truncate(file, good, lost);
            }
        }
        assertSomeWereTold();
    }

    @ParameterizedTest
    @MethodSource("codecs")
    @Tag("hostile")
    void manyFarDamagesAreFoundOrHeal(String codec) throws IOException {
        train(codec);
        assertThat(damageTwice(5000, new Random(codec.hashCode())))
                .as("pairs that do not heal")
                .isBetween(1, 4999);
    }

    private void flip(String file, byte[] good, int at, Random random) throws IOException {
        byte[] bad = good.clone();
        bad[at] ^= (byte) (1 << random.nextInt(8));
        assertHeals(file, good, bad, "flipped bit in byte " + at);
    }

    private void noise(String file, byte[] good, int at) throws IOException {
        assertHeals(file, good, noisy(good, at), "noise at " + at);
    }

    private void truncate(String file, byte[] good, int lost) throws IOException {
        assertHeals(file, good, Arrays.copyOf(good, good.length - lost), lost + " bytes less");
    }

    private static byte[] noisy(byte[] good, int at) {
        byte[] noise = new byte[Math.min(REGION, good.length - at)];
        new Random(at).nextBytes(noise);
        byte[] bad = good.clone();
        System.arraycopy(noise, 0, bad, at, noise.length);
        return bad;
    }

    private void assertHeals(String file, byte[] good, byte[] bad, String how) throws IOException {
        String what = "%s of %s".formatted(how, file);
        run.put(file, bad);
        var events = new ArrayList<CheckpointEvent>();
        assertThat(restored(what, events)).as(what).contains(newest);
        assertTold(what, file, events);
        trials++;
        if (trials % RESTORES_PER_VERIFICATION == 0) {
            assertThat(damage(new CheckpointStore(run)))
                    .as(what)
                    .allMatch(DamagedFile::healable)
                    .extracting(DamagedFile::file)
                    .containsExactly(file);
        }
        if (trials % RESTORES_PER_START == 0) {
            start(what, file);
        }
        run.put(file, good);
    }

    /// A record that had to be read from its twin is always told. Of a segment a restore may need other parts.
    private void assertTold(String what, String file, List<CheckpointEvent> events) {
        assertThat(events)
                .as(what)
                .hasSizeBetween(file.endsWith(".rec") ? 1 : 0, file.endsWith(".twin") ? 0 : 1)
                .allSatisfy(event -> assertThat(event)
                        .isInstanceOfSatisfying(
                                CheckpointEvent.Healed.class,
                                healed -> assertThat(healed.damage().file()).isEqualTo(file)));
        told += events.size();
        toldOfSegments += file.endsWith(".seg") ? events.size() : 0;
    }

    private void assertSomeWereTold() throws IOException {
        assertThat(told).as("damages that a restore told").isBetween(1, trials - 1);
        assertThat(toldOfSegments).as("of them in segments").isPositive();
        assertThat(damage(new CheckpointStore(run))).isEmpty();
    }

    /// The next training opens the run, tells the same, and leaves both places of every record whole.
    private void start(String what, String file) throws IOException {
        var storage = new MemoryBlobStore();
        for (String name : files()) {
            storage.createIfAbsent(name, run.content(name));
        }
        var events = new ArrayList<CheckpointEvent>();
        // Scrubbing would rewrite the file, now or after the look at it.
        var options = CheckpointOptions.defaults()
                .withScrubbing(new Scrubbing.Off())
                .withoutLog()
                .withListener(event -> {
                    if (!(event instanceof CheckpointEvent.Restored)) {
                        events.add(event);
                    }
                });
        try (Checkpoints checkpoints = Checkpoints.open(storage, options)) {
            assertThat(checkpoints.restoreLatest(target).map(Checkpoint::id))
                    .as(what)
                    .contains(newest);
        }
        assertBits(what, newest);
        assertTold(what, file, events);
        told -= events.size();
        toldOfSegments -= file.endsWith(".seg") ? events.size() : 0;
        assertThat(damage(new CheckpointStore(storage)))
                .as(what)
                .extracting(DamagedFile::file)
                .isEqualTo(file.endsWith(".rec") ? List.of() : List.of(file));
    }

    /// Damages two places: of one file, or of a record and its twin, or the end of a file that is larger than what
    /// heals. Returns how often another checkpoint than the newest was restored, or none.
    private int damageTwice(int pairs, Random random) throws IOException {
        List<String> files = files();
        int older = 0;
        for (int pair = 0; pair < pairs; pair++) {
            String file = files.get(random.nextInt(files.size()));
            String other = file.endsWith(".rec") ? file.replace(".rec", ".twin") : file;
            byte[] good = run.content(file);
            byte[] ofOther = run.content(other);
            int first = random.nextInt(good.length);
            int second = random.nextInt(good.length);
            String what = "%d and %d of %s".formatted(first, second, file);
            if (random.nextInt(4) == 0) {
                run.put(file, Arrays.copyOf(good, first));
            } else {
                run.put(file, noisy(good, first));
            }
            run.put(other, noisy(run.content(other), Math.min(second, run.content(other).length)));
            var events = new ArrayList<CheckpointEvent>();
            Optional<String> restored = restored(what, events);
            if (!restored.equals(Optional.of(newest))) {
                older++;
                assertThat(events).as(what).anyMatch(CheckpointEvent.PassedOver.class::isInstance);
            }
            assertThat(events)
                    .as(what)
                    .allMatch(event ->
                            event instanceof CheckpointEvent.PassedOver || event instanceof CheckpointEvent.Healed);
            run.put(file, good);
            run.put(other, ofOther);
        }
        return older;
    }

    /// The id of the checkpoint that was restored, whose bits are right; empty if none can be restored.
    private Optional<String> restored(String what, List<CheckpointEvent> events) throws IOException {
        Optional<String> id;
        try {
            id = new Restorer(new CheckpointStore(run), events::add)
                    .restore(new Selector.Latest(), target, Matching.WHOLE)
                    .map(Commit::id);
        } catch (NothingToRestoreException nothing) {
            return Optional.empty();
        }
        assertThat(id).as(what).isPresent();
        assertBits(what, id.get());
        return id;
    }

    private void assertBits(String what, String id) {
        List<MemorySegment> values = expected.getOrDefault(id, List.of());
        assertThat(values).as(what).hasSameSizeAs(target.tensors());
        for (int i = 0; i < values.size(); i++) {
            assertThat(target.tensors().get(i).memory().mismatch(values.get(i)))
                    .as("%s, tensor %d", what, i)
                    .isEqualTo(-1);
        }
    }

    private List<String> files() {
        return run.names().stream().filter(name -> !name.endsWith(".lock")).toList();
    }

    private static List<DamagedFile> damage(CheckpointStore store) throws IOException {
        return StoreVerifier.verify(store, Depth.FULL, _ -> {}).damaged();
    }

    /// Saves often enough that the run contains everything.
    private void train(String codec) throws IOException {
        Path path = folder.resolve("run");
        var live = new TiedState();
        var options = CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1))
                .withCodec(Yardstick.parse(codec))
                .withLongestChain(2)
                .withRetention(Retention.parse("latest:3"))
                .withoutLog();
        try (Checkpoints checkpoints = Checkpoints.open(path, options)) {
            checkpoints.startFresh();
            for (int step = 0; step <= STEPS; step++) {
                live.change(step);
                checkpoints.afterStep(step, live);
                checkpoints.awaitHousekeeping();
            }
        }
        run = new FrozenRun(path);
        rememberAll(new CheckpointStore(run), !codec.equals("full"));
    }

    private void rememberAll(CheckpointStore store, boolean hasDeltas) throws IOException {
        assertThat(damage(store)).isEmpty();
        var kinds = new HashSet<String>();
        for (Entry entry : store.currentEntries()) {
            if (entry instanceof Entry.Intact(Commit checkpoint)) {
                var values = new ArrayList<MemorySegment>();
                try (CheckpointReader reader = store.open(checkpoint)) {
                    for (TensorRef tensor : reader.manifest().tensors()) {
                        MemorySegment read =
                                Arena.ofAuto().allocate(tensor.spec().sizeBytes());
                        reader.read(tensor.spec(), read);
                        values.add(read);
                    }
                }
                expected.put(checkpoint.id(), values);
                newest = checkpoint.id();
                kinds.add(checkpoint.parent() == null ? "base" : "delta");
                kinds.add(checkpoint.replaces() == 0 ? "as saved" : "merged");
            }
        }
        assertThat(expected).as("some were removed").hasSizeLessThan(STEPS);
        assertThat(kinds).contains("base", "as saved");
        if (hasDeltas) {
            assertThat(kinds).contains("delta", "merged");
        }
    }

    /// A small training whose embedding has two names.
    private static final class TiedState implements TrainingState {
        private final List<LiveTensor> tensors = new ArrayList<>();

        TiedState() {
            LiveTensor embedding = tensor("embedding", ElementType.FLOAT32, VALUES, Role.WEIGHT);
            tensors.add(embedding);
            tensors.add(tensor("m/embedding", ElementType.FLOAT32, VALUES, Role.FIRST_MOMENT));
            tensors.add(tensor("v/embedding", ElementType.FLOAT32, VALUES, Role.SECOND_MOMENT));
            tensors.add(tensor("generator", ElementType.UINT8, 33, Role.RNG));
            TensorSpec tied = new TensorSpec("output", ElementType.FLOAT32, List.of((long) VALUES), Role.WEIGHT);
            tensors.add(new LiveTensor(tied, embedding.memory()));
        }

        private static LiveTensor tensor(String name, ElementType type, long elements, Role role) {
            var spec = new TensorSpec(name, type, List.of(elements), role);
            return new LiveTensor(spec, Arena.ofAuto().allocate(spec.sizeBytes(), 64));
        }

        void change(int step) {
            var random = new Random(step);
            for (int i = 0; i < VALUES; i++) {
                // Only a few different values, so that the files are small and do not have too many bits.
                int noise = (int) (4 * random.nextGaussian());
                set(0, i, step == 0 ? noise / 16f : get(0, i) + Math.floorDiv(noise, 8) * 0x1p-10f);
                set(1, i, 0.25f);
                set(2, i, 1 + step % 3);
            }
            tensors.get(3).memory().fill((byte) step);
        }

        private float get(int tensor, int i) {
            return tensors.get(tensor).memory().getAtIndex(ValueLayout.JAVA_FLOAT, i);
        }

        private void set(int tensor, int i, float value) {
            tensors.get(tensor).memory().setAtIndex(ValueLayout.JAVA_FLOAT, i, value);
        }

        @Override
        public List<LiveTensor> tensors() {
            return tensors;
        }

        @Override
        public Attributes attributes() {
            return Attributes.empty();
        }

        @Override
        public void restored(long step, Attributes attributes) {}
    }
}
