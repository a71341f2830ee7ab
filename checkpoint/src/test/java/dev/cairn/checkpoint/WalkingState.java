package dev.cairn.checkpoint;

import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/// A training without a framework whose weights follow a random walk: with moments like Adam's, and with tensors of
/// other types.
public final class WalkingState implements TrainingState {
    private static final int USUAL_ROWS = 30;
    private static final long COLUMNS = 50;

    private final int count;
    private final float common;
    private final LiveTensor weights;
    private final LiveTensor half;
    private final LiveTensor first;
    private final LiveTensor second;
    private final LiveTensor counters = tensor("counters", ElementType.INT64, List.of(7L), Role.BUFFER);
    private final LiveTensor generator = tensor("generator", ElementType.UINT8, List.of(100L), Role.RNG);
    public long step;

    public WalkingState() {
        this(USUAL_ROWS);
    }

    /// A state with this many rows of 50 weights.
    public WalkingState(int rows) {
        this(rows, 0);
    }

    /// A state in which the rows have a part of their gradients in common.
    ///
    /// @param common how large that part is; the standard deviation of the others is from 0.01 to 0.07
    public WalkingState(int rows, float common) {
        this.common = common;
        List<Long> shape = List.of((long) rows, COLUMNS);
        count = (int) (rows * COLUMNS);
        weights = tensor("weight", ElementType.FLOAT32, shape, Role.WEIGHT);
        half = tensor("half", ElementType.BFLOAT16, List.of((long) count), Role.WEIGHT);
        first = tensor("m/weight", ElementType.FLOAT32, shape, Role.FIRST_MOMENT);
        second = tensor("v/weight", ElementType.FLOAT32, shape, Role.SECOND_MOMENT);
    }

    private static LiveTensor tensor(String name, ElementType type, List<Long> shape, Role role) {
        var spec = new TensorSpec(name, type, shape, role);
        return new LiveTensor(spec, Arena.ofAuto().allocate(spec.sizeBytes(), 64));
    }

    public void makeStep() {
        step++;
        var random = new Random(step);
        var shared = new Random(step / 10);
        float[] direction = new float[(int) COLUMNS];
        for (int j = 0; common > 0 && j < COLUMNS; j++) {
            direction[j] = common * (float) shared.nextGaussian();
        }
        for (int i = 0; i < count; i++) {
            float gradient = (float) random.nextGaussian() * (1 + i % 7) * 0.01f;
            gradient += direction[(int) (i % COLUMNS)] * (1 + i / (int) COLUMNS % 5);
            float mean = 0.9f * get(first, i) + 0.1f * gradient;
            float square = 0.99f * get(second, i) + 0.01f * gradient * gradient;
            float weight = get(weights, i) - 0.01f * mean / ((float) Math.sqrt(square) + 1e-8f);
            set(first, i, mean);
            set(second, i, square);
            set(weights, i, weight);
            half.memory().setAtIndex(ValueLayout.JAVA_SHORT, i, (short) (Float.floatToRawIntBits(weight) >>> 16));
        }
        for (int i = 0; i < 7; i++) {
            counters.memory().setAtIndex(ValueLayout.JAVA_LONG, i, step * i);
        }
        byte[] bytes = new byte[100];
        random.nextBytes(bytes);
        generator.memory().copyFrom(MemorySegment.ofArray(bytes));
    }

    /// The distance between these weights and those of another state.
    public double weightDistance(WalkingState other) {
        double squares = 0;
        for (int i = 0; i < count; i++) {
            double difference = get(weights, i) - get(other.weights, i);
            squares += difference * difference;
        }
        return Math.sqrt(squares);
    }

    /// The SHA-256 of all tensors in order.
    public String digest() {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            tensors().forEach(tensor -> digest.update(tensor.memory().asByteBuffer()));
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static float get(LiveTensor tensor, int i) {
        return tensor.memory().getAtIndex(ValueLayout.JAVA_FLOAT, i);
    }

    private static void set(LiveTensor tensor, int i, float value) {
        tensor.memory().setAtIndex(ValueLayout.JAVA_FLOAT, i, value);
    }

    @Override
    public List<LiveTensor> tensors() {
        return List.of(weights, half, first, second, counters, generator);
    }

    @Override
    public Attributes attributes() {
        return Attributes.empty().with("loss", 1.0 / step);
    }

    @Override
    public void restored(long restoredStep, Attributes attributes) {
        step = restoredStep;
    }
}
