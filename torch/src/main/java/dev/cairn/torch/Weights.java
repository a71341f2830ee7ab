package dev.cairn.torch;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.codec.ElementType;
import dev.cairn.engine.Model;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.OptimizerSpec.Rule;
import dev.cairn.engine.Parameter;
import dev.cairn.store.Role;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/// The state of a learner: weights, the moments that its optimizer keeps for them, and the random generator. The
/// moments are Cairn's own, because libtorch's optimizers do not expose theirs.
final class Weights implements AutoCloseable {
    private final String optimizer;
    private final FlatTensors values;
    private final @Nullable FlatTensors first;
    private final @Nullable FlatTensors second;
    private final Tensor generatorState;

    Weights(Model model, OptimizerSpec optimizer, long seed) {
        List<Parameter> parameters = model.parameters();
        this.optimizer = optimizer.name();
        try (NoGradGuard _ = new NoGradGuard()) {
            this.values = new FlatTensors(parameters);
            for (Parameter parameter : parameters) {
                TorchMemory.of(values.get(parameter.name()))
                        .copyFrom(MemorySegment.ofArray(parameter.initialValues(seed)));
            }
            this.first = optimizer.rule() instanceof Rule.Sgd ? null : new FlatTensors(parameters);
            this.second = optimizer.rule() instanceof Rule.Adam ? new FlatTensors(parameters) : null;
            this.generatorState = torch.getDefaultCPUGenerator().get_state().clone();
        }
    }

    FlatTensors values() {
        return values;
    }

    /// Momentum's velocities, or Adam's means.
    FlatTensors first() {
        return present(first);
    }

    /// Adam's mean squares.
    FlatTensors second() {
        return present(second);
    }

    private static FlatTensors present(@Nullable FlatTensors moments) {
        if (moments == null) {
            throw new IllegalStateException("the optimizer keeps no such moments");
        }
        return moments;
    }

    List<LiveTensor> live() {
        try (PointerScope _ = new PointerScope()) {
            generatorState.copy_(torch.getDefaultCPUGenerator().get_state());
        }
        var tensors = new ArrayList<LiveTensor>();
        values.live("", Role.WEIGHT, tensors::add);
        if (first != null) {
            first.live(optimizer + ".m/", Role.FIRST_MOMENT, tensors::add);
        }
        if (second != null) {
            second.live(optimizer + ".v/", Role.SECOND_MOMENT, tensors::add);
        }
        tensors.add(TorchMemory.live("torch.generator", generatorState, ElementType.UINT8, Role.RNG));
        return tensors;
    }

    void restored() {
        try (PointerScope _ = new PointerScope()) {
            torch.getDefaultCPUGenerator().set_state(generatorState);
        }
    }

    @Override
    public void close() {
        values.close();
        if (first != null) {
            first.close();
        }
        if (second != null) {
            second.close();
        }
        generatorState.close();
    }
}
