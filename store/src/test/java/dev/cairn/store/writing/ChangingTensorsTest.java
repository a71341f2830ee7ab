package dev.cairn.store.writing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.ElementType;
import dev.cairn.codec.Frame;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.codec.block.ExactEncoder;
import dev.cairn.codec.block.ExactEncoder.Basis;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.store.Samples;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.check.RestoreTrial;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.LogRecord.Parent;
import dev.cairn.store.reading.CheckpointReader;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.segment.Contents;
import dev.cairn.store.segment.TensorSource;
import dev.cairn.store.segment.Workspace;
import dev.cairn.store.writing.CheckpointWriter.Description;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Chains whose checkpoints do not all have the same tensors: what is new since the parent is stored exactly.
class ChangingTensorsTest {
    private static final TensorSpec STAYS = spec("stays", 300_000);
    private static final TensorSpec LEAVES = spec("leaves", 200_000);
    private static final TensorSpec COMES = spec("comes", 300_000);
    private static final TensorSpec AGAIN = spec("comes again", 300_000);
    private static final TensorSpec GROWS = spec("grows", 1_000);
    private static final TensorSpec GROWN = spec("grows", 1_500);

    private final CheckpointStore store = new CheckpointStore(new MemoryBlobStore());
    private final Random random = new Random(8);
    /// The values of the last checkpoint.
    private Map<TensorSpec, byte[]> values = Map.of();

    /// The last values of all tensors. A tensor that comes back resembles what it was.
    private final Map<TensorSpec, byte[]> past = new HashMap<>();

    private @Nullable Parent parent;
    private CheckpointWriter writer;

    @BeforeEach
    void open() throws IOException {
        writer = CheckpointWriter.open(store, () -> {});
    }

    private static TensorSpec spec(String name, long elements) {
        return new TensorSpec(name, ElementType.FLOAT32, List.of(elements), Role.WEIGHT);
    }

    /// @param owner the key of the tensor whose blocks this one shares; null if it has its own
    private record Source(
            TensorSpec spec,
            MemorySegment live,
            @Nullable MemorySegment before,
            @Nullable String owner) implements TensorSource {
        @Override
        public String codec() {
            return "sample";
        }

        @Override
        public @Nullable String sameAs() {
            return owner;
        }

        @Override
        public void encode(long block, int lane, Frame frame) {
            int blockBytes = BlockEncoder.blockBytes(spec.type());
            long at = block * blockBytes;
            long length = Math.min(blockBytes, live.byteSize() - at);
            MemorySegment reference = before == null ? live : before;
            new ExactEncoder(spec.type(), before == null ? Basis.ALONE : Basis.REFERENCE)
                    .encode(live.asSlice(at, length), reference.asSlice(at, length), frame);
        }
    }

    /// Commits these tensors with changed values: a delta of those that the last checkpoint has, too.
    private Commit commit(TensorSpec... specs) throws IOException {
        return commit(List.of(specs), Map.of());
    }

    /// @param owners the tensors that share the blocks of another
    private Commit commit(List<TensorSpec> specs, Map<TensorSpec, TensorSpec> owners) throws IOException {
        var next = new LinkedHashMap<TensorSpec, byte[]>();
        var sources = new ArrayList<TensorSource>();
        for (TensorSpec spec : specs) {
            TensorSpec owner = owners.get(spec);
            byte[] before = values.get(spec);
            byte[] live = owner == null ? changed(spec, past.get(spec)) : next.getOrDefault(owner, new byte[0]);
            next.put(spec, live);
            sources.add(new Source(
                    spec,
                    MemorySegment.ofArray(live),
                    before == null ? null : MemorySegment.ofArray(before),
                    owner == null ? null : owner.key()));
        }
        Commit made = writer.commit(
                "test",
                new Description(1, Samples.TIME, parent, "lossless", Attributes.empty()),
                new Contents(sources));
        values = next;
        past.putAll(next);
        parent = Parent.of(made);
        return made;
    }

    private byte[] changed(TensorSpec spec, byte @Nullable [] before) {
        byte[] live = before == null ? new byte[(int) spec.sizeBytes()] : before.clone();
        for (int i = 0; i < live.length; i += before == null ? 1 : 1 + random.nextInt(50)) {
            live[i] = (byte) random.nextInt();
        }
        return live;
    }

    private Commit merge(Commit tip, int links) throws IOException {
        Commit merged = new Merger(store, writer).merge(tip).orElseThrow();
        assertThat(store.history().chain(merged)).hasSize(links);
        return merged;
    }

    private void assertRestores(Commit checkpoint, Map<TensorSpec, byte[]> expected) throws IOException {
        try (CheckpointReader reader = store.open(checkpoint)) {
            assertThat(reader.manifest().tensors())
                    .extracting(tensor -> tensor.spec())
                    .containsExactlyElementsOf(expected.keySet());
            for (var tensor : expected.entrySet()) {
                byte[] read = new byte[tensor.getValue().length];
                reader.read(tensor.getKey(), MemorySegment.ofArray(read));
                assertThat(read).as("%s", tensor.getKey()).isEqualTo(tensor.getValue());
            }
        }
        RestoreTrial.read(store, store.history().chain(checkpoint), new Workspace());
        assertThat(StoreVerifier.verify(store, Depth.FULL, _ -> {}).damaged()).isEmpty();
    }

    @Test
    void aTensorThatAppearsInTheMiddleOfAChainIsMerged() throws IOException {
        commit(STAYS, LEAVES);
        commit(STAYS, LEAVES, COMES);
        Commit tip = commit(STAYS, COMES);
        Map<TensorSpec, byte[]> expected = values;
        assertRestores(tip, expected);
        assertRestores(merge(tip, 2), expected);
        Commit next = commit(COMES, STAYS);
        assertRestores(next, values);
        assertRestores(merge(next, 2), values);
    }

    @Test
    void aTensorThatComesBackIsMerged() throws IOException {
        commit(STAYS, LEAVES);
        commit(STAYS);
        commit(STAYS, LEAVES);
        Commit tip = commit(STAYS, LEAVES);
        assertRestores(merge(tip, 2), values);
    }

    @Test
    void aTensorThatGetsAnotherShapeIsMerged() throws IOException {
        commit(STAYS, GROWS);
        commit(STAYS, GROWN);
        Commit tip = commit(STAYS, GROWN);
        assertRestores(merge(tip, 2), values);
    }

    @Test
    void aSecondNameThatAppearsInTheMiddleOfAChainIsMerged() throws IOException {
        commit(STAYS, LEAVES);
        commit(LEAVES);
        Map<TensorSpec, TensorSpec> shared = Map.of(COMES, STAYS);
        commit(List.of(STAYS, COMES, LEAVES), shared);
        Commit tip = commit(List.of(STAYS, COMES, LEAVES), shared);
        assertRestores(tip, values);
        assertRestores(merge(tip, 1), values);
    }

    @Test
    void namesThatAreTiedInTheMiddleOfAChainAreMerged() throws IOException {
        commit(STAYS, COMES, LEAVES);
        commit(LEAVES);
        Map<TensorSpec, TensorSpec> shared = Map.of(COMES, STAYS);
        commit(List.of(STAYS, COMES, LEAVES), shared);
        Commit tip = commit(List.of(STAYS, COMES, LEAVES), shared);
        assertRestores(tip, values);
        assertRestores(merge(tip, 1), values);
    }

    @Test
    void twoNamesOfOneNewTensorAreMerged() throws IOException {
        commit(STAYS);
        Map<TensorSpec, TensorSpec> shared = Map.of(AGAIN, COMES);
        commit(List.of(STAYS, COMES, AGAIN), shared);
        Commit tip = commit(List.of(STAYS, COMES, AGAIN), shared);
        assertRestores(merge(tip, 2), values);
    }
}
