package dev.cairn.s3.crash;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;

/// A training whose every bit is a function of seed and step.
final class Walk implements TrainingState {
    private static final int WEIGHTS = 700;

    private final long seed;
    private final LiveTensor weights = tensor("weight", ElementType.FLOAT32, WEIGHTS, Role.WEIGHT);
    private final LiveTensor generator = tensor("generator", ElementType.UINT8, 33, Role.RNG);
    private long step;

    Walk(long seed) {
        this.seed = seed;
    }

    private static LiveTensor tensor(String name, ElementType type, long elements, Role role) {
        var spec = new TensorSpec(name, type, List.of(elements), role);
        return new LiveTensor(spec, Arena.ofAuto().allocate(spec.sizeBytes(), 64));
    }

    long step() {
        return step;
    }

    Walk at(long newStep) {
        step = newStep;
        float[] values = new float[WEIGHTS];
        var start = new Random(seed);
        var noise = new Random(seed * 31 + newStep);
        for (int i = 0; i < WEIGHTS; i++) {
            values[i] = start.nextFloat() + (i % 5 == newStep % 5 ? noise.nextFloat() : 0);
        }
        weights.memory().copyFrom(MemorySegment.ofArray(values));
        byte[] bytes = new byte[33];
        noise.nextBytes(bytes);
        generator.memory().copyFrom(MemorySegment.ofArray(bytes));
        return this;
    }

    /// Whether every bit is what it must be after this step.
    boolean isAt(long expected) {
        Walk right = new Walk(seed).at(expected);
        return step == expected
                && weights.memory().mismatch(right.weights.memory()) == -1
                && generator.memory().mismatch(right.generator.memory()) == -1;
    }

    /// Reads the values of a checkpoint.
    Walk read(CheckpointReader reader, Commit checkpoint) throws IOException {
        for (LiveTensor tensor : tensors()) {
            reader.read(tensor.spec(), tensor.memory());
        }
        restored(checkpoint.step(), checkpoint.attributes());
        return this;
    }

    @Override
    public List<LiveTensor> tensors() {
        return List.of(weights, generator);
    }

    @Override
    public Attributes attributes() {
        return Attributes.empty().with("step", step).with("seed", seed);
    }

    @Override
    public void restored(long restoredStep, Attributes attributes) {
        if (attributes.integer("step").orElse(-1L) != restoredStep
                || attributes.integer("seed").orElse(-1L) != seed) {
            throw new IllegalArgumentException("attributes of another state: " + attributes);
        }
        step = restoredStep;
    }
}
