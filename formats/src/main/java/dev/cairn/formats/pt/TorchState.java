package dev.cairn.formats.pt;

import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

/// The layout in which PyTorch programs save a whole state: `{'model': …, 'optimizer': …}`. `load_state_dict` accepts
/// each of these parts. Everything else is under `other`.
///
/// @param model names of its tensors
/// @param optimizer its state, if PyTorch has this optimizer
public record TorchState(Set<String> model, Optional<Optimizer> optimizer) {
    /// The prefix of the model's tensors in a file.
    public static final String MODEL = "model.";

    public static final String OTHER = "other.";

    static final String OPTIMIZER = "optimizer";

    public TorchState {
        model = Set.copyOf(model);
    }

    /// The state of an optimizer, as in its `state_dict`.
    ///
    /// @param options options of its only group of parameters, in order: numbers, booleans and lists of numbers
    /// @param parameters in the order of `model.parameters()`
    public record Optimizer(SequencedMap<String, Object> options, List<Parameter> parameters) {
        public Optimizer {
            parameters = List.copyOf(parameters);
        }
    }

    /// The state that an optimizer holds for one parameter.
    ///
    /// @param values numbers, such as `step`, by PyTorch's names
    /// @param tensors names of tensors, by PyTorch's names such as `exp_avg`
    public record Parameter(SequencedMap<String, Object> values, SequencedMap<String, String> tensors) {
        boolean isEmpty() {
            return values.isEmpty() && tensors.isEmpty();
        }
    }

    /// The name of a parameter's tensor in a file.
    public static String nameOf(int parameter, String key) {
        return "%s.state.%d.%s".formatted(OPTIMIZER, parameter, key);
    }
}
