package dev.cairn.torch;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Module;
import org.bytedeco.pytorch.Optimizer;
import org.bytedeco.pytorch.StringTensorDict;
import org.bytedeco.pytorch.StringVector;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/// All that a libtorch loop of a user's own needs to go on in the same bits: parameters and buffers, in place; the
/// optimizer's state and learning rates; the default random generator; and what [#put] adds.
///
/// ```java
/// TorchState state = TorchState.of(module, optimizer);
/// long step = checkpoints.restoreLatest(state).map(Checkpoint::step).orElse(0L);
/// while (step < steps) {
///     // … zero_grad, forward, backward, optimizer.step() …
///     checkpoints.afterStep(++step, state);
/// }
/// ```
/// The optimizer is an SGD, Adam, AdamW, Adagrad or RMSprop; its state passes through an archive in memory at each
/// save, about 0.2 s for 128 MB, on the training thread. Tensors are on the CPU and contiguous. Other random
/// generators, and the place in the data, are the loop's own: let them follow from the step, or [#put] them.
///
/// To be used on the training thread, inside or outside of a `PointerScope`.
public final class TorchState implements TrainingState {
    private static final String GENERATOR = "torch.generator";

    private final SequencedMap<String, Tensor> parameters;
    private final SequencedMap<String, Tensor> buffers;
    private final Optional<OptimizerState> optimizer;
    private final Tensor generator;
    private Attributes attributes = Attributes.empty();

    private TorchState(
            SequencedMap<String, Tensor> parameters,
            SequencedMap<String, Tensor> buffers,
            Optional<OptimizerState> optimizer) {
        this.parameters = parameters;
        this.buffers = buffers;
        this.optimizer = optimizer;
        try (PointerScope _ = new PointerScope()) {
            this.generator = torch.getDefaultCPUGenerator().get_state().clone().retainReference();
        }
    }

    /// Loads libtorch before anything else does, for programs that may be killed in their first seconds: JavaCPP
    /// unpacks it where it is first used, and a kill meanwhile leaves a torn library that crashes every later
    /// start. This unpacks it once, into a folder of its own, and anew after a kill.
    public static void loadLibraries() {
        NativeLibraries.load();
    }

    /// The state of a module with all its parts, and of the optimizer that trains it.
    ///
    /// @throws IllegalArgumentException for another optimizer than those above, or one of other parameters
    public static TorchState of(Module module, Optimizer optimizer) {
        try (PointerScope _ = new PointerScope()) {
            SequencedMap<String, Tensor> parameters = tensors(module.named_parameters());
            return new TorchState(
                    parameters,
                    tensors(module.named_buffers()),
                    Optional.of(new OptimizerState(optimizer, parameters)));
        }
    }

    /// The state of parameters by names of the user's own, and of the optimizer that trains them.
    ///
    /// @throws IllegalArgumentException for another optimizer than those above, or one of other parameters
    public static TorchState of(Map<String, Tensor> parameters, Optimizer optimizer) {
        var copies = copies(parameters);
        return new TorchState(copies, new LinkedHashMap<>(), Optional.of(new OptimizerState(optimizer, copies)));
    }

    /// The state of tensors by name, where the loop updates them itself: weights and moments alike.
    public static TorchState of(Map<String, Tensor> tensors) {
        return new TorchState(copies(tensors), new LinkedHashMap<>(), Optional.empty());
    }

    /// What is saved besides from now on: epoch, place in the data, metrics. [#attributes] has them again after a
    /// restore.
    public void put(Attributes more) {
        attributes = attributes.with(more);
    }

    @Override
    public List<LiveTensor> tensors() {
        var live = new ArrayList<LiveTensor>();
        try (PointerScope _ = new PointerScope()) {
            parameters.forEach((name, tensor) -> live.add(LiveMemory.of(name, tensor, Role.WEIGHT)));
            buffers.forEach((name, tensor) -> live.add(LiveMemory.of(name, tensor, Role.BUFFER)));
            generator.copy_(torch.getDefaultCPUGenerator().get_state());
        }
        optimizer.ifPresent(state -> live.addAll(state.tensors()));
        live.add(TorchMemory.live(GENERATOR, generator, ElementType.UINT8, Role.RNG));
        return live;
    }

    @Override
    public Attributes attributes() {
        return attributes.with(optimizer.map(OptimizerState::rates).orElse(Attributes.empty()));
    }

    @Override
    public void restored(long step, Attributes restored) {
        optimizer.ifPresent(state -> state.restored(restored));
        attributes = restored;
        try (PointerScope _ = new PointerScope()) {
            torch.getDefaultCPUGenerator().set_state(generator);
        }
    }

    /// Handles of our own: those of the caller may end with its scope.
    private static SequencedMap<String, Tensor> copies(Map<String, Tensor> tensors) {
        var copies = new LinkedHashMap<String, Tensor>();
        try (PointerScope _ = new PointerScope()) {
            tensors.forEach((name, tensor) -> copies.put(name, new Tensor(tensor).retainReference()));
        }
        return copies;
    }

    private static SequencedMap<String, Tensor> tensors(StringTensorDict dictionary) {
        var tensors = new LinkedHashMap<String, Tensor>();
        StringVector names = dictionary.keys();
        TensorVector values = dictionary.values();
        for (long i = 0; i < names.size(); i++) {
            tensors.put(names.get(i).getString(), new Tensor(values.get(i)).retainReference());
        }
        return tensors;
    }
}
