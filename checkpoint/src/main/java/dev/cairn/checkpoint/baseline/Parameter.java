package dev.cairn.checkpoint.baseline;

import dev.cairn.store.Role;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A weight with its optimizer moments, if it has any. The name of a moment ends with a slash and the name of its
/// weight (`adam.m/fc1.weight`), and both have the same shape.
record Parameter(
        TensorPair weight,
        @Nullable TensorPair first,
        @Nullable TensorPair second) {
    /// The parameters of a state, in the same order.
    static List<Parameter> of(List<TensorPair> state) {
        var weights = new HashMap<String, TensorPair>();
        for (TensorPair tensor : state) {
            if (tensor.spec().role() == Role.WEIGHT) {
                weights.put(tensor.spec().name(), tensor);
            }
        }
        Map<TensorPair, TensorPair> firsts = moments(state, Role.FIRST_MOMENT, weights);
        Map<TensorPair, TensorPair> seconds = moments(state, Role.SECOND_MOMENT, weights);
        var parameters = new ArrayList<Parameter>();
        for (TensorPair tensor : state) {
            if (tensor.spec().role() == Role.WEIGHT) {
                parameters.add(new Parameter(tensor, firsts.get(tensor), seconds.get(tensor)));
            }
        }
        return parameters;
    }

    private static Map<TensorPair, TensorPair> moments(
            List<TensorPair> state, Role role, Map<String, TensorPair> weights) {
        var moments = new HashMap<TensorPair, TensorPair>();
        for (TensorPair tensor : state) {
            TensorPair weight = tensor.spec().role() == role ? owner(tensor, weights) : null;
            if (weight != null) {
                moments.putIfAbsent(weight, tensor);
            }
        }
        return moments;
    }

    /// Names of weights may contain slashes themselves: the longest name that fits counts.
    private static @Nullable TensorPair owner(TensorPair moment, Map<String, TensorPair> weights) {
        String name = moment.spec().name();
        for (int slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
            TensorPair weight = weights.get(name.substring(slash + 1));
            if (weight != null && weight.spec().shape().equals(moment.spec().shape())) {
                return weight;
            }
        }
        return null;
    }
}
