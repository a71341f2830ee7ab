package dev.cairn.formats.pt;

import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

/// How PyTorch's programs save a whole state: `{'model': …, 'optimizer': …}`, of which `load_state_dict` takes each.
/// What is neither stands under `other`.
///
/// @param model names of its tensors
/// @param optimizer where it is one that PyTorch has
public record TorchState(Set<String> model, Optional<Optimizer> optimizer) {
    /// What the names of tensors in a file begin with.
    public static final String MODEL = "model.";

    public static final String OTHER = "other.";

    static final String OPTIMIZER = "optimizer";

    public TorchState {
        model = Set.copyOf(model);
    }

    /// The state of an optimizer, as its `state_dict` has it.
    ///
    /// @param options of its one group of parameters, in order: numbers, truth values and lists of numbers
    /// @param parameters in the order of `model.parameters()`
    public record Optimizer(SequencedMap<String, Object> options, List<Parameter> parameters) {
        public Optimizer {
            parameters = List.copyOf(parameters);
        }
    }

    /// What an optimizer holds of one parameter.
    ///
    /// @param values numbers, such as `step`, by PyTorch's names
    /// @param tensors names of tensors, by those that PyTorch has for them, such as `exp_avg`
    public record Parameter(SequencedMap<String, Object> values, SequencedMap<String, String> tensors) {
        boolean isEmpty() {
            return values.isEmpty() && tensors.isEmpty();
        }
    }

    /// What a file calls the tensor of a parameter.
    public static String nameOf(int parameter, String key) {
        return "%s.state.%d.%s".formatted(OPTIMIZER, parameter, key);
    }
}
