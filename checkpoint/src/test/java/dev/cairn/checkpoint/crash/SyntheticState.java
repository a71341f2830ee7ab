package dev.cairn.checkpoint.crash;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/// A training whose every bit is a function of seed and step, so that a restore can detect every wrong bit.
///
/// Weights drift a little in each step and have noise, like those of a real training, so that deltas are useful.
final class SyntheticState implements TrainingState {
    private static final int COUNTERS = 9;
    private static final int GENERATOR_BYTES = 101;

    private final long seed;
    private final int count;
    private final LiveTensor weights;
    private final LiveTensor half;
    private final LiveTensor first;
    private final LiveTensor second;
    private final LiveTensor counters;
    private final LiveTensor generator;
    private long step;

    /// @param count the number of weights; the state takes fourteen bytes for each
    SyntheticState(long seed, int count) {
        this.seed = seed;
        this.count = count;
        this.weights = tensor("weight", ElementType.FLOAT32, count, Role.WEIGHT);
        this.half = tensor("half", ElementType.BFLOAT16, count, Role.WEIGHT);
        this.first = tensor("m/weight", ElementType.FLOAT32, count, Role.FIRST_MOMENT);
        this.second = tensor("v/weight", ElementType.FLOAT32, count, Role.SECOND_MOMENT);
        this.counters = tensor("counters", ElementType.INT64, COUNTERS, Role.BUFFER);
        this.generator = tensor("generator", ElementType.UINT8, GENERATOR_BYTES, Role.RNG);
    }

    private static LiveTensor tensor(String name, ElementType type, long elements, Role role) {
        var spec = new TensorSpec(name, type, List.of(elements), role);
        return new LiveTensor(spec, Arena.ofAuto().allocate(spec.sizeBytes(), 64));
    }

    long step() {
        return step;
    }

    /// The state after this step. Computed in arrays, because a process that is killed soon has no time to warm up.
    SyntheticState at(long newStep) {
        step = newStep;
        float[] weight = new float[count];
        short[] rounded = new short[count];
        float[] mean = new float[count];
        float[] square = new float[count];
        for (int i = 0; i < count; i++) {
            float noise = noise(i, step);
            weight[i] = noise(i, -1) + 1e-3f * step * noise(i, -2) + 1e-4f * noise;
            rounded[i] = (short) (Float.floatToRawIntBits(weight[i]) >>> 16);
            mean[i] = 1e-2f * noise;
            square[i] = 1e-4f * noise * noise;
        }
        weights.memory().copyFrom(MemorySegment.ofArray(weight));
        half.memory().copyFrom(MemorySegment.ofArray(rounded));
        first.memory().copyFrom(MemorySegment.ofArray(mean));
        second.memory().copyFrom(MemorySegment.ofArray(square));
        long[] counts = new long[COUNTERS];
        Arrays.setAll(counts, i -> step * i);
        counters.memory().copyFrom(MemorySegment.ofArray(counts));
        byte[] bytes = new byte[GENERATOR_BYTES];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) mix(i, step);
        }
        generator.memory().copyFrom(MemorySegment.ofArray(bytes));
        return this;
    }

    /// Changes one weight in twenty, and counts the step: much cheaper than a step, and a small delta.
    void nudge(long newStep) {
        step = newStep;
        int from = (int) (step % 20 * count / 20);
        float[] weight = new float[count / 20];
        for (int i = 0; i < weight.length; i++) {
            weight[i] = noise(from + i, -1) + 1e-4f * noise(from + i, step);
        }
        MemorySegment.copy(weight, 0, weights.memory(), ValueLayout.JAVA_FLOAT, 4L * from, weight.length);
        counters.memory().set(ValueLayout.JAVA_LONG, 0, step);
    }

    /// Whether every bit is correct for this step.
    boolean isExactlyAt(long expected) {
        return step == expected
                && digest().equals(new SyntheticState(seed, count).at(expected).digest());
    }

    /// Whether the weights are as close as a lossy codec leaves them, and everything that must be exact is exact.
    boolean isNear(long expected) {
        var exact = new SyntheticState(seed, count).at(expected);
        float[] wanted = exact.weights.memory().toArray(ValueLayout.JAVA_FLOAT);
        float[] actual = weights.memory().toArray(ValueLayout.JAVA_FLOAT);
        double error = 0;
        double size = 0;
        for (int i = 0; i < count; i++) {
            double difference = actual[i] - wanted[i];
            error += difference * difference;
            size += wanted[i] * wanted[i];
        }
        return step == expected
                && error < 1e-4 * size
                && counters.memory().mismatch(exact.counters.memory()) == -1
                && generator.memory().mismatch(exact.generator.memory()) == -1;
    }

    /// Two checksums of all tensors in order.
    String digest() {
        var crc = new CRC32();
        var crc32c = new CRC32C();
        for (LiveTensor tensor : tensors()) {
            crc.update(tensor.memory().asByteBuffer());
            crc32c.update(tensor.memory().asByteBuffer());
        }
        return "%08x%08x".formatted(crc.getValue(), crc32c.getValue());
    }

    @Override
    public List<LiveTensor> tensors() {
        return List.of(weights, half, first, second, counters, generator);
    }

    MemorySegment memory(TensorSpec spec) {
        return tensors().stream()
                .filter(tensor -> tensor.spec().equals(spec))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no tensor " + spec))
                .memory();
    }

    @Override
    public Attributes attributes() {
        return attributes(step);
    }

    /// The attributes of a checkpoint of this step, including a score that is sometimes better and sometimes worse.
    Attributes attributes(long ofStep) {
        return Attributes.empty().with("step", ofStep).with("seed", seed).with("score", (double) noise(-3, ofStep));
    }

    @Override
    public void restored(long restoredStep, Attributes attributes) {
        if (attributes.integer("step").orElse(-1L) != restoredStep
                || attributes.integer("seed").orElse(-1L) != seed) {
            throw new IllegalArgumentException("attributes of another state: " + attributes);
        }
        step = restoredStep;
    }

    /// A value from -1 to 1.
    private float noise(long i, long time) {
        return (int) (mix(i, time) >> 40) * 0x1p-23f;
    }

    private long mix(long i, long time) {
        long x = (i * 0x9e3779b97f4a7c15L) ^ (time * 0xd1b54a32d192ed03L) ^ (seed << 32);
        x = (x ^ (x >>> 32)) * 0xbf58476d1ce4e5b9L;
        return (x ^ (x >>> 29)) * 0x94d049bb133111ebL;
    }
}
