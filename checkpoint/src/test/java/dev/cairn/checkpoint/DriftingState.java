package dev.cairn.checkpoint;

import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;

/// Two tensors of weights, one of which moves ten times as much as the other, with a chosen distribution of step
/// sizes.
public final class DriftingState implements TrainingState {
    private static final int WEIGHTS = 12_000;

    private final ElementType type;
    private final List<LiveTensor> tensors;
    private final Random random = new Random(5);

    /// @param type float32 or bfloat16
    public DriftingState(ElementType type) {
        this.type = type;
        this.tensors = List.of(tensor("fast"), tensor("slow"));
        for (LiveTensor tensor : tensors) {
            for (int i = 0; i < WEIGHTS; i++) {
                set(tensor, i, (float) random.nextGaussian());
            }
        }
    }

    private LiveTensor tensor(String name) {
        var spec = new TensorSpec(name, type, List.of((long) WEIGHTS), Role.WEIGHT);
        return new LiveTensor(spec, Arena.ofAuto().allocate(spec.sizeBytes(), 64));
    }

    /// Moves every weight.
    ///
    /// @param size the size of the move, relative to the weights
    /// @param spread 0 for Gaussian steps; with 2, a few steps are far larger than all others
    public void drift(double size, double spread) {
        for (int t = 0; t < 2; t++) {
            LiveTensor tensor = tensors.get(t);
            double scale = (t == 0 ? size : size / 10) / Math.exp(spread * spread);
            for (int i = 0; i < WEIGHTS; i++) {
                double step = random.nextGaussian() * Math.exp(spread * random.nextGaussian());
                set(tensor, i, (float) (get(tensor, i) + scale * step));
            }
        }
    }

    /// The present weights.
    public double[] weights() {
        double[] weights = new double[2 * WEIGHTS];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = get(tensors.get(i / WEIGHTS), i % WEIGHTS);
        }
        return weights;
    }

    private float get(LiveTensor tensor, int i) {
        return type == ElementType.FLOAT32
                ? tensor.memory().getAtIndex(ValueLayout.JAVA_FLOAT, i)
                : Float.intBitsToFloat(tensor.memory().getAtIndex(ValueLayout.JAVA_SHORT, i) << 16);
    }

    private void set(LiveTensor tensor, int i, float value) {
        if (type == ElementType.FLOAT32) {
            tensor.memory().setAtIndex(ValueLayout.JAVA_FLOAT, i, value);
        } else {
            tensor.memory().setAtIndex(ValueLayout.JAVA_SHORT, i, (short) (Float.floatToRawIntBits(value) >>> 16));
        }
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
