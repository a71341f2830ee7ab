package dev.cairn.tensorflow.model;

import static org.tensorflow.internal.c_api.global.tensorflow.TF_FLOAT;

import dev.cairn.codec.ElementType;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import dev.cairn.tensorflow.runtime.GraphBuilder;
import dev.cairn.tensorflow.runtime.Output;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.tensorflow.internal.c_api.TF_Operation;

/// The variables of a graph under construction, by name. All are float32.
public final class Variables {
    private final GraphBuilder graph;
    private final SequencedMap<String, Variable> all = new LinkedHashMap<>();

    public Variables(GraphBuilder graph) {
        this.graph = graph;
    }

    /// A variable with the operations that set and read all of it.
    ///
    /// @param handle input of operations on the variable
    /// @param value the whole value
    /// @param fed the placeholder of `assignment`
    public record Variable(TensorSpec spec, Output handle, Output value, Output fed, TF_Operation assignment) {
        public long[] dimensions() {
            return spec.shape().stream().mapToLong(Long::longValue).toArray();
        }
    }

    /// Adds a resource variable.
    public Variable declare(String name, List<Long> shape, Role role) {
        long[] dimensions = shape.stream().mapToLong(Long::longValue).toArray();
        Output handle = graph.node("VarHandleOp", name)
                .type("dtype", TF_FLOAT)
                .shape("shape", dimensions)
                .text("shared_name", name)
                .output();
        Output value =
                graph.node("ReadVariableOp").in(handle).type("dtype", TF_FLOAT).output();
        Output fed = graph.placeholder(TF_FLOAT, dimensions);
        TF_Operation assignment = graph.node("AssignVariableOp")
                .in(handle)
                .in(fed)
                .type("dtype", TF_FLOAT)
                .operation();
        var variable =
                new Variable(new TensorSpec(name, ElementType.FLOAT32, shape, role), handle, value, fed, assignment);
        all.put(name, variable);
        return variable;
    }

    public Variable get(String name) {
        Variable variable = all.get(name);
        if (variable == null) {
            throw new IllegalArgumentException("no variable named " + name);
        }
        return variable;
    }

    /// All variables, in the order of their declaration.
    public List<Variable> all() {
        return List.copyOf(all.sequencedValues());
    }
}
