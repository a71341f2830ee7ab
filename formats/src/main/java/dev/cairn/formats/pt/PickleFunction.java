package dev.cairn.formats.pt;

import java.util.Arrays;
import java.util.Optional;

/// The functions that a pickle may call. Cairn knows what they mean and allows no others.
enum PickleFunction {
    ORDERED_DICT("collections.OrderedDict"),
    TENSOR("torch._utils._rebuild_tensor"),
    TENSOR_V2("torch._utils._rebuild_tensor_v2"),
    TENSOR_V3("torch._utils._rebuild_tensor_v3"),
    PARAMETER("torch._utils._rebuild_parameter"),
    PARAMETER_WITH_STATE("torch._utils._rebuild_parameter_with_state"),
    /// Wraps every container in files that libtorch writes from C++.
    TYPE_TAG("torch.jit._pickle.restore_type_tag"),
    SIZE("torch.Size"),
    DEVICE("torch.device");

    private final String qualifiedName;

    PickleFunction(String qualifiedName) {
        this.qualifiedName = qualifiedName;
    }

    String qualifiedName() {
        return qualifiedName;
    }

    static Optional<PickleFunction> of(String qualifiedName) {
        return Arrays.stream(values())
                .filter(function -> function.qualifiedName.equals(qualifiedName))
                .findAny();
    }
}
