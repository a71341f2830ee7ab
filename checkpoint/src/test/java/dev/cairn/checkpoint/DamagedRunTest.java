package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.restore.Restorer;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every flipped bit and every truncation of a small run that contains everything (a base, deltas, merged and removed
/// checkpoints, a tensor with two names). `verify` finds it and names the file. A restore either finds it, restores
/// an older checkpoint and says so, or did not need that byte and returns the right bits. It never returns wrong
/// ones.
class DamagedRunTest {
    private static final int VALUES = 1024;
    private static final int STEPS = 8;

    @TempDir
    Path folder;

    private final Map<String, List<MemorySegment>> expected = new HashMap<>();
    private final TiedState target = new TiedState();
    private String newest = "";

    @ParameterizedTest
    @ValueSource(strings = {"lossless", "lossy"})
    void damageIsFoundOrDoesNoHarm(String codec) throws IOException {
        damageEverything(codec, 401, 151);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lossless", "lossy"})
    @Tag("hostile")
    void everyDamageIsFoundOrDoesNoHarm(String codec) throws IOException {
        damageEverything(codec, 1, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lc:3", "full"})
    @Tag("hostile")
    void muchDamageIsFoundOrDoesNoHarmWithOtherCodecs(String codec) throws IOException {
        damageEverything(codec, 11, 7);
    }

    private void damageEverything(String codec, int bitStride, int lengthStride) throws IOException {
        FrozenRun run = train(codec);
        var store = new CheckpointStore(run);
        rememberAll(store, !codec.equals("full"));
        int harmless = 0;
        int found = 0;
        for (String file : run.names()) {
            if (file.endsWith(".lock")) {
                continue;
            }
            byte[] good = run.content(file);
            for (long bit = file.hashCode() & 127; bit < 8L * good.length; bit += bitStride) {
                byte[] bad = good.clone();
                bad[(int) (bit / 8)] ^= (byte) (1 << bit % 8);
                run.put(file, bad);
                boolean restored = restoresTheNewest(store, file, "bit " + bit);
                harmless += restored ? 1 : 0;
                found += restored ? 0 : 1;
            }
            for (int length = 0; length < good.length; length += lengthStride) {
                run.put(file, Arrays.copyOf(good, length));
                restoresTheNewest(store, file, "length " + length);
            }
            run.put(file, good);
        }
        assertThat(found).as("flips that a restore found").isPositive();
        assertThat(harmless).as("flips of what a restore does not need").isPositive();
        assertThat(damage(store)).isEmpty();
    }

    /// Whether the newest checkpoint was restored although this file is damaged.
    private boolean restoresTheNewest(CheckpointStore store, String file, String what) throws IOException {
        assertThat(damage(store))
                .as("%s of %s, found by verify", what, file)
                .extracting(DamagedFile::file)
                .contains(file);
        var passedOver = new ArrayList<CheckpointEvent>();
        Optional<Commit> restored;
        try {
            restored = new Restorer(store, passedOver::add).restore(new Selector.Latest(), target, Matching.WHOLE);
        } catch (NothingToRestoreException nothing) {
            assertThat(passedOver).as("%s of %s", what, file).isNotEmpty();
            return false;
        }
        String id = restored.orElseThrow(() -> new AssertionError(what + " of " + file))
                .id();
        List<MemorySegment> values = expected.getOrDefault(id, List.of());
        assertThat(values).hasSameSizeAs(target.tensors());
        for (int i = 0; i < values.size(); i++) {
            assertThat(target.tensors().get(i).memory().mismatch(values.get(i)))
                    .as("%s of %s, tensor %d", what, file, i)
                    .isEqualTo(-1);
        }
        if (!id.equals(newest)) {
            assertThat(passedOver)
                    .as("%s of %s", what, file)
                    .isNotEmpty()
                    .allMatch(CheckpointEvent.PassedOver.class::isInstance);
        }
        return id.equals(newest);
    }

    private static List<DamagedFile> damage(CheckpointStore store) throws IOException {
        return StoreVerifier.verify(store, Depth.FULL, _ -> {}).damaged();
    }

    /// Saves often enough that the run contains everything.
    private FrozenRun train(String codec) throws IOException {
        Path run = folder.resolve("run");
        var live = new TiedState();
        var options = CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1))
                .withCodec(Codec.parse(codec))
                .withLongestChain(2)
                .withRetention(Retention.parse("latest:3"))
                .withoutLog();
        try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
            checkpoints.startFresh();
            for (int step = 0; step <= STEPS; step++) {
                live.change(step);
                checkpoints.afterStep(step, live);
                checkpoints.awaitHousekeeping();
            }
        }
        return new FrozenRun(run);
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
