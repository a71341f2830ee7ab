package dev.cairn.tensorflow;

import static org.tensorflow.internal.c_api.global.tensorflow.TF_FLOAT;

import dev.cairn.engine.OptimizerSpec.Rule;
import dev.cairn.engine.Update;
import dev.cairn.tensorflow.runtime.NativeTensors;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.tensorflow.internal.c_api.TF_Tensor;

/// The values of a step that an optimizer needs, as tensors that are overwritten for each step.
final class Scalars implements AutoCloseable {
    private static final int ALIGNMENT = 64;

    private final Rule rule;
    private final Arena arena = Arena.ofShared();
    private final List<MemorySegment> memory = new ArrayList<>();
    private final List<TF_Tensor> tensors = new ArrayList<>();

    Scalars(Rule rule, int count) {
        this.rule = rule;
        for (int i = 0; i < count; i++) {
            MemorySegment scalar = arena.allocate(Float.BYTES, ALIGNMENT);
            memory.add(scalar);
            tensors.add(NativeTensors.view(scalar, TF_FLOAT));
        }
    }

    /// The tensors, with the values for this step.
    List<TF_Tensor> of(Update update) {
        switch (rule) {
            case Rule.Sgd _ -> set(0, update.rate());
            case Rule.Momentum _ -> set(0, update.rate());
            case Rule.Adam adam -> {
                // TensorFlow stores betas as float32. The corrections use the same values; otherwise the first steps
                // would have the relative error of 1 − beta.
                double root = Math.sqrt(1 - power(adam.beta2(), update.step()));
                set(0, update.rate() * root / (1 - power(adam.beta1(), update.step())));
                set(1, adam.epsilon() * root);
            }
        }
        return tensors;
    }

    @Override
    public void close() {
        tensors.forEach(NativeTensors::delete);
        arena.close();
    }

    private void set(int scalar, double value) {
        memory.get(scalar).set(ValueLayout.JAVA_FLOAT, 0, (float) value);
    }

    private static double power(double beta, long step) {
        return StrictMath.pow((float) beta, (double) step);
    }
}
