package dev.cairn.checkpoint;

import dev.cairn.codec.Distortion;
import dev.cairn.codec.ElementType;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.codec.block.ExactEncoder;
import dev.cairn.codec.block.LossyEncoder;
import dev.cairn.codec.block.ZeroEncoder;
import dev.cairn.codec.lossy.LogQuantizer;
import dev.cairn.codec.lossy.TableQuantizer;
import dev.cairn.codec.lossy.TableQuantizer.Scheme;
import dev.cairn.codec.lossy.UniformSetting;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.LogRecord.Parent;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Decides how each tensor of a checkpoint is encoded, and keeps the reference: what a reader of the last checkpoint
/// holds, bit for bit. The reference is one more copy of the state, unless every checkpoint is stored whole.
///
/// A checkpoint is a base, which stands alone, or a delta of the last one that was committed. After a failure the
/// reference
/// is half-made and is never built on: the next checkpoint is a base. For one thread at a time.
final class StateEncoder implements AutoCloseable {
    /// Restoring reads the whole chain: it is kept short.
    private static final int LONGEST_CHAIN = 16;

    /// Smaller tensors are stored exactly: their tables would cost more than they save.
    private static final int SMALLEST_LOSSY = 1024;

    /// Half a doubling of Adam's second moment.
    private static final int LOG_SHIFT = 22;

    private final Codec codec;
    private final @Nullable StepRule stepRule;
    private @Nullable Arena arena;
    private List<MemorySegment> references = List.of();
    private List<TensorSpec> specs = List.of();
    private @Nullable Parent parent;
    private int chainLength;
    private List<BlockwiseTensor> current = List.of();

    StateEncoder(Codec codec) {
        this.codec = codec;
        this.stepRule = codec instanceof Codec.Uniform(double target) ? new StepRule(target) : null;
    }

    /// How precise a checkpoint must be.
    enum Precision {
        /// As the codec says.
        USUAL,
        /// Bit for bit, because it is known to be the last.
        EXACT
    }

    /// What is to be written.
    record Plan(@Nullable Parent parent, List<BlockwiseTensor> tensors) {}

    /// Plans the next checkpoint. Nothing is encoded before the tensors are asked for their blocks.
    Plan plan(List<Capture.Tensor> captured, Precision precision) {
        List<TensorSpec> wanted = captured.stream().map(Capture.Tensor::spec).toList();
        if (!wanted.equals(specs)) {
            allocate(wanted);
        }
        boolean base = parent == null || chainLength >= LONGEST_CHAIN || codec instanceof Codec.Full;
        UniformSetting setting =
                base || precision == Precision.EXACT || stepRule == null ? null : stepRule.next(lossyPairs(captured));
        var tensors = new ArrayList<BlockwiseTensor>();
        for (int i = 0; i < captured.size(); i++) {
            Capture.Tensor tensor = captured.get(i);
            Encoding encoding =
                    base || precision == Precision.EXACT ? exact(tensor.spec(), base) : usual(tensor.spec(), setting);
            tensors.add(new BlockwiseTensor(
                    tensor.spec(),
                    encoding.label(),
                    tensor.bytes(),
                    references.isEmpty() ? tensor.bytes() : references.get(i),
                    encoding.encoder()));
        }
        current = tensors;
        return new Plan(base ? null : parent, tensors);
    }

    /// The plan became this checkpoint: the reference is what a reader of it holds.
    void committed(Checkpoint checkpoint) {
        chainLength = checkpoint.parent() == null ? 0 : chainLength + 1;
        parent = new Parent(checkpoint.number(), checkpoint.id());
        if (stepRule != null) {
            Distortion distortion = lossyDistortion();
            if (distortion.elements() == 0) {
                stepRule.exact();
            } else {
                stepRule.encoded(distortion);
            }
        }
    }

    /// The plan failed somewhere: the reference is worth nothing.
    void failed() {
        parent = null;
    }

    /// What the last checkpoint lost of the weights.
    Distortion lossyDistortion() {
        var sum = new Distortion();
        for (BlockwiseTensor tensor : current) {
            if (tensor.encoder() instanceof LossyEncoder lossy && tensor.spec().role() == Role.WEIGHT) {
                sum.add(lossy.distortion());
            }
        }
        return sum;
    }

    @Override
    public void close() {
        if (arena != null) {
            arena.close();
            arena = null;
        }
        references = List.of();
        specs = List.of();
        parent = null;
    }

    private record Encoding(String label, BlockEncoder encoder) {}

    private Encoding exact(TensorSpec spec, boolean base) {
        if (codec instanceof Codec.Full) {
            return new Encoding("raw", new ExactEncoder(spec.type(), ExactEncoder.Basis.RAW));
        }
        return new Encoding(
                "lossless",
                new ExactEncoder(spec.type(), base ? ExactEncoder.Basis.ALONE : ExactEncoder.Basis.REFERENCE));
    }

    private Encoding usual(TensorSpec spec, @Nullable UniformSetting setting) {
        boolean small = spec.sizeBytes() < (long) SMALLEST_LOSSY * spec.type().sizeBytes();
        if (!codec.isLossy() || small || !spec.type().isFloating()) {
            return exact(spec, false);
        }
        return switch (spec.role()) {
            case WEIGHT -> weight(spec.type(), setting);
            case FIRST_MOMENT -> new Encoding("dropped", new ZeroEncoder());
            case SECOND_MOMENT ->
                spec.type() == ElementType.FLOAT32
                        ? new Encoding("log2", new LossyEncoder(spec.type(), new LogQuantizer(LOG_SHIFT)))
                        : exact(spec, false);
            case OPTIMIZER, BUFFER, RNG, CURSOR -> exact(spec, false);
        };
    }

    private Encoding weight(ElementType type, @Nullable UniformSetting setting) {
        Scheme scheme = switch (codec) {
            case Codec.Exponent(int bits) -> new Scheme.Exponent(bits);
            case Codec.Uniform _ -> {
                if (setting == null) {
                    throw new IllegalStateException("no step was chosen");
                }
                yield new Scheme.Uniform(setting);
            }
            case Codec.Full _, Codec.Lossless _ -> throw new IllegalStateException("not a lossy codec");
        };
        return new Encoding(codec.text(), new LossyEncoder(type, new TableQuantizer(type, scheme)));
    }

    private List<StepRule.Pair> lossyPairs(List<Capture.Tensor> captured) {
        var pairs = new ArrayList<StepRule.Pair>();
        for (int i = 0; i < captured.size(); i++) {
            TensorSpec spec = captured.get(i).spec();
            if (spec.role() == Role.WEIGHT && spec.type() == ElementType.FLOAT32) {
                pairs.add(new StepRule.Pair(captured.get(i).bytes(), references.get(i)));
            }
        }
        return pairs;
    }

    private void allocate(List<TensorSpec> wanted) {
        close();
        specs = wanted;
        if (codec instanceof Codec.Full) {
            return;
        }
        Arena fresh = Arena.ofShared();
        arena = fresh;
        references = wanted.stream()
                .map(spec -> fresh.allocate(spec.sizeBytes(), Capture.ALIGNMENT))
                .toList();
    }
}
