package dev.cairn.store;

import dev.cairn.codec.ElementType;
import dev.cairn.codec.Frame;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.codec.block.ExactEncoder;
import dev.cairn.store.log.LogRecord;
import dev.cairn.store.reading.CheckpointReader;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.segment.Contents;
import dev.cairn.store.segment.TensorRef;
import dev.cairn.store.segment.TensorSource;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.store.writing.CheckpointWriter.Description;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.List;
import java.util.Random;

/// Small checkpoints for tests, which depend only on the step.
public final class Samples {
    public static final Instant TIME = Instant.parse("2026-01-02T03:04:05.678Z");

    /// The writer name of segments.
    public static final String WRITER = "test";

    private Samples() {}

    public static List<Tensor> tensors(long step) {
        return List.of(
                tensor("weight", ElementType.FLOAT32, List.of(5L, 7L), Role.WEIGHT, step),
                tensor("empty", ElementType.INT64, List.of(0L), Role.BUFFER, step),
                tensor("generator", ElementType.UINT8, List.of(33L), Role.RNG, step),
                tensor("scalar", ElementType.FLOAT64, List.of(), Role.OPTIMIZER, step));
    }

    public static Tensor tensor(String name, ElementType type, List<Long> shape, Role role, long seed) {
        var spec = new TensorSpec(name, type, shape, role);
        byte[] bytes = new byte[Math.toIntExact(spec.sizeBytes())];
        new Random(seed * 31 + name.hashCode()).nextBytes(bytes);
        return new Tensor(spec, MemorySegment.ofArray(bytes));
    }

    public static Attributes attributes(long step) {
        return Attributes.empty()
                .with("step", step)
                .with("loss", 0.1 + step)
                .with("best", Double.NaN)
                .with("workload", "sample \"quoted\" ☃")
                .with("flag", true);
    }

    /// A tensor that is stored raw.
    public record Tensor(TensorSpec spec, MemorySegment bytes) implements TensorSource {
        @Override
        public String codec() {
            return "raw";
        }

        @Override
        public void encode(long block, int lane, Frame frame) {
            int blockBytes = BlockEncoder.blockBytes(spec.type());
            long offset = block * blockBytes;
            MemorySegment values = bytes.asSlice(offset, Math.min(blockBytes, bytes.byteSize() - offset));
            new ExactEncoder(spec.type(), ExactEncoder.Basis.RAW)
                    .encode(values, MemorySegment.ofArray(new byte[(int) values.byteSize()]), frame);
        }
    }

    public static LogRecord.Commit commit(CheckpointWriter writer, long step) throws IOException {
        return commit(writer, description(step), tensors(step));
    }

    /// Stores these tensors, whose blocks contain their own code tables, as a checkpoint of one segment.
    public static LogRecord.Commit commit(
            CheckpointWriter writer, Description description, List<? extends TensorSource> tensors) throws IOException {
        return writer.commit(WRITER, description, new Contents(tensors));
    }

    public static Description description(long step) {
        return new Description(step, TIME, null, "full", attributes(step));
    }

    /// Whether this checkpoint holds exactly what [#commit] stored for its step. Throws if it is damaged.
    public static boolean matches(CheckpointStore store, LogRecord.Commit checkpoint) throws IOException {
        if (!checkpoint.attributes().equals(attributes(checkpoint.step()))) {
            return false;
        }
        List<Tensor> expected = tensors(checkpoint.step());
        try (CheckpointReader reader = store.open(checkpoint)) {
            List<TensorRef> stored = reader.manifest().tensors();
            if (stored.size() != expected.size()) {
                return false;
            }
            for (int i = 0; i < expected.size(); i++) {
                TensorRef ref = stored.get(i);
                MemorySegment bytes = MemorySegment.ofArray(
                        new byte[Math.toIntExact(ref.spec().sizeBytes())]);
                reader.read(ref.spec(), bytes);
                if (!ref.spec().equals(expected.get(i).spec())
                        || bytes.mismatch(expected.get(i).bytes()) != -1) {
                    return false;
                }
            }
        }
        return true;
    }
}
