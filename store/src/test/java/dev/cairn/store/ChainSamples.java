package dev.cairn.store;

import dev.cairn.codec.ElementType;
import dev.cairn.codec.Frame;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.codec.block.ExactEncoder;
import dev.cairn.codec.block.ExactEncoder.Basis;
import dev.cairn.codec.block.ZeroEncoder;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.LogRecord.Parent;
import dev.cairn.store.reading.CheckpointReader.Piece;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.segment.Contents;
import dev.cairn.store.segment.Staged;
import dev.cairn.store.segment.TensorSource;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.store.writing.CheckpointWriter.Description;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// A base and deltas of a few tensors: weights that change a little, and moments that the deltas drop.
public final class ChainSamples {
    private final CheckpointStore store;
    private final CheckpointWriter writer;
    private final List<TensorSpec> specs;
    private final List<MemorySegment> values = new ArrayList<>();
    private final Random random = new Random(5);
    private @Nullable Parent parent;

    public ChainSamples(MemoryBlobStore blobs, List<TensorSpec> specs) throws IOException {
        this.store = new CheckpointStore(blobs);
        this.writer = CheckpointWriter.open(store, () -> {});
        this.specs = List.copyOf(specs);
        specs.forEach(spec -> values.add(MemorySegment.ofArray(new byte[(int) spec.sizeBytes()])));
    }

    public static TensorSpec weights(String name, ElementType type, long elements) {
        return new TensorSpec(name, type, List.of(elements), Role.WEIGHT);
    }

    public static TensorSpec moments(String name, long elements) {
        return new TensorSpec(name, ElementType.FLOAT32, List.of(elements), Role.FIRST_MOMENT);
    }

    /// Changes all tensors and commits them: a base the first time, then deltas.
    public Commit commit() throws IOException {
        var sources = new ArrayList<TensorSource>();
        for (int i = 0; i < specs.size(); i++) {
            sources.add(next(specs.get(i), i));
        }
        Commit made = Samples.commit(
                writer, new Description(1, Samples.TIME, parent, "lossless", Attributes.empty()), sources);
        parent = Parent.of(made);
        return made;
    }

    /// The same by several writers, each with every so many-th of the tensors.
    public Commit commitAs(int writers) throws IOException {
        var staged = new ArrayList<Staged>();
        for (int rank = 0; rank < writers; rank++) {
            var sources = new ArrayList<TensorSource>();
            for (int i = rank; i < specs.size(); i += writers) {
                sources.add(next(specs.get(i), i));
            }
            staged.add(writer.stage("rank" + rank, new Contents(sources)));
        }
        Commit made = writer.commit(new Description(1, Samples.TIME, parent, "lossless", Attributes.empty()), staged);
        parent = Parent.of(made);
        return made;
    }

    public CheckpointWriter writer() {
        return writer;
    }

    /// What the last checkpoint must give back.
    public List<MemorySegment> values() {
        return values;
    }

    public CheckpointStore store() {
        return store;
    }

    /// Whole tensors into fresh memory that any thread may write.
    public List<Piece> wholes() {
        return specs.stream()
                .map(spec -> new Piece(
                        spec, Arena.ofAuto().allocate(spec.sizeBytes() + 1).asSlice(1)))
                .toList();
    }

    private TensorSource next(TensorSpec spec, int index) {
        MemorySegment live = values.get(index);
        byte[] before = live.toArray(ValueLayout.JAVA_BYTE);
        boolean dropped = parent != null && spec.role() == Role.FIRST_MOMENT;
        if (dropped) {
            live.fill((byte) 0);
        } else {
            change(live);
        }
        BlockEncoder encoder = dropped
                ? new ZeroEncoder()
                : new ExactEncoder(spec.type(), parent == null ? Basis.ALONE : Basis.REFERENCE);
        return new Source(spec, live, MemorySegment.ofArray(before), encoder);
    }

    private void change(MemorySegment live) {
        for (long i = 0; i < live.byteSize(); i += parent == null ? 1 : 1 + random.nextInt(8)) {
            live.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextGaussian(0, 20));
        }
    }

    private record Source(TensorSpec spec, MemorySegment live, MemorySegment reference, BlockEncoder encoder)
            implements TensorSource {
        @Override
        public String codec() {
            return "sample";
        }

        @Override
        public void encode(long block, int lane, Frame frame) {
            int blockBytes = BlockEncoder.blockBytes(spec.type());
            long at = block * blockBytes;
            long length = Math.min(blockBytes, live.byteSize() - at);
            encoder.encode(live.asSlice(at, length), reference.asSlice(at, length), frame);
        }
    }
}
