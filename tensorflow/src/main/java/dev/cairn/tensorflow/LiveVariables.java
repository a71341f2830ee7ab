package dev.cairn.tensorflow;

import static org.tensorflow.internal.c_api.global.tensorflow.TF_FLOAT;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.store.TensorSpec;
import dev.cairn.tensorflow.model.Variables.Variable;
import dev.cairn.tensorflow.runtime.Call;
import dev.cairn.tensorflow.runtime.NativeTensors;
import dev.cairn.tensorflow.runtime.Session;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.tensorflow.internal.c_api.TF_Tensor;

/// The values of a session's variables.
///
/// A tensor that was read never changes: before TensorFlow changes a resource variable, it copies the buffer if someone
/// else holds it. Reading returns the variable's own buffer without a copy, except for variables that were ever updated
/// by rows, which are copied. Therefore this class holds what it shows as long as it must not change, and releases it
/// before an update. The update then works in place.
final class LiveVariables {
    private final List<Variable> variables;
    private final Call read;
    private final Call assign;
    private @Nullable Shown shown;

    LiveVariables(Session session, List<Variable> variables) {
        this.variables = variables;
        this.read =
                session.call(List.of(), variables.stream().map(Variable::value).toList(), List.of());
        this.assign = session.call(
                variables.stream().map(Variable::fed).toList(),
                List.of(),
                variables.stream().map(Variable::assignment).toList());
    }

    /// Sets all variables.
    ///
    /// @param values values of one variable; null for zeros
    void initialize(Function<TensorSpec, float @Nullable []> values) {
        var tensors = new ArrayList<TF_Tensor>();
        try {
            for (Variable variable : variables) {
                TensorSpec spec = variable.spec();
                TF_Tensor tensor = NativeTensors.allocate(TF_FLOAT, spec.sizeBytes(), variable.dimensions());
                tensors.add(tensor);
                float[] first = values.apply(spec);
                if (first == null) {
                    NativeTensors.memory(tensor).fill((byte) 0);
                } else {
                    NativeTensors.memory(tensor).copyFrom(MemorySegment.ofArray(first));
                }
            }
            assign.run(tensors);
        } finally {
            tensors.forEach(NativeTensors::delete);
        }
    }

    /// Sets all variables to these tensors, which the caller keeps.
    void set(List<TF_Tensor> values) {
        assign.run(values);
    }

    /// The memory of the variables. It stays the same until [#release].
    List<LiveTensor> show() {
        if (shown == null) {
            shown = new Shown(variables, read.run(List.of()));
        }
        return shown.live;
    }

    /// Sets the variables to what was written into the shown memory.
    void written() {
        if (shown != null) {
            assign.run(shown.tensors);
        }
    }

    /// Allows the variables to change. The shown memory is no longer valid, and reading it throws an exception.
    void release() {
        if (shown != null) {
            shown.close();
            shown = null;
        }
    }

    private static final class Shown {
        private final Arena validity = Arena.ofShared();
        private final List<TF_Tensor> tensors;
        private final List<LiveTensor> live;

        Shown(List<Variable> variables, List<TF_Tensor> tensors) {
            this.tensors = tensors;
            var live = new ArrayList<LiveTensor>();
            for (int i = 0; i < tensors.size(); i++) {
                MemorySegment memory = NativeTensors.memory(tensors.get(i));
                live.add(
                        new LiveTensor(variables.get(i).spec(), memory.reinterpret(memory.byteSize(), validity, null)));
            }
            this.live = List.copyOf(live);
        }

        void close() {
            validity.close();
            tensors.forEach(NativeTensors::delete);
        }
    }
}
