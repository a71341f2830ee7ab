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

/// The complete state that a user's own libtorch loop needs to continue bit for bit: parameters and buffers, in place;
/// the optimizer's state and learning rates; the default random generator; and what [#put] adds.
///
/// ```java
/// TorchState state = TorchState.of(module, optimizer);
/// long step = checkpoints.restoreLatest(state).map(Checkpoint::step).orElse(0L);
/// while (step < steps) {
///     // … zero_grad, forward, backward, optimizer.step() …
///     checkpoints.afterStep(++step, state);
/// }
/// ```
/// The optimizer must be an SGD, Adam, AdamW, Adagrad or RMSprop. Each save copies its state through an archive in
/// memory on the training thread, which takes about 0.2 s for 128 MB. Tensors must be contiguous and on the CPU. The
/// loop itself must handle other random generators and the position in the data: derive them from the step, or [#put]
/// them.
///
/// Use this on the training thread, inside or outside of a `PointerScope`.
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

    /// Loads libtorch before anything else does. Programs that may be killed in their first seconds need this:
    /// JavaCPP unpacks libtorch on first use, and a kill at that time leaves an incomplete library that crashes
    /// every later start. This method unpacks libtorch once, into a separate folder, and repeats that after a
    /// kill.
    public static void loadLibraries() {
        NativeLibraries.load();
    }

    /// The state of a module with all its submodules, and of the optimizer that trains it.
    ///
    /// @throws IllegalArgumentException if the optimizer is of another kind, or has parameters that are not in
    /// the module
    public static TorchState of(Module module, Optimizer optimizer) {
        try (PointerScope _ = new PointerScope()) {
            SequencedMap<String, Tensor> parameters = tensors(module.named_parameters());
            return new TorchState(
                    parameters,
                    tensors(module.named_buffers()),
                    Optional.of(new OptimizerState(optimizer, parameters)));
        }
    }

    /// The state of parameters under the given names, and of the optimizer that trains them.
    ///
    /// @throws IllegalArgumentException if the optimizer is of another kind, or has parameters that are not in
    /// the map
    public static TorchState of(Map<String, Tensor> parameters, Optimizer optimizer) {
        var copies = copies(parameters);
        return new TorchState(copies, new LinkedHashMap<>(), Optional.of(new OptimizerState(optimizer, copies)));
    }

    /// The state of tensors by name, both weights and moments, for loops that update them without an optimizer.
    public static TorchState of(Map<String, Tensor> tensors) {
        return new TorchState(copies(tensors), new LinkedHashMap<>(), Optional.empty());
    }

    /// Adds attributes to every later checkpoint, such as epoch, position in the data and metrics. After a
    /// restore, [#attributes] contains them again.
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

    /// Copies of the handles, because those of the caller may be freed with its scope.
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
