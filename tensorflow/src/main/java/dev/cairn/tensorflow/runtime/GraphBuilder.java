package dev.cairn.tensorflow.runtime;

import static org.tensorflow.internal.c_api.global.tensorflow.TF_FLOAT;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_INT32;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_INT64;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.PointerScope;
import org.tensorflow.internal.c_api.TF_Graph;
import org.tensorflow.internal.c_api.TF_Operation;
import org.tensorflow.internal.c_api.TF_OperationDescription;
import org.tensorflow.internal.c_api.TF_Output;
import org.tensorflow.internal.c_api.TF_Tensor;
import org.tensorflow.internal.c_api.global.tensorflow;

/// A graph under construction. Operations have the names of TensorFlow's own documentation.
public final class GraphBuilder implements AutoCloseable {
    private final TF_Graph graph = tensorflow.TF_NewGraph();
    private final Status status = new Status();
    private int operations;

    TF_Graph graph() {
        return graph;
    }

    /// An operation of this type, with a generated name.
    public Node node(String type) {
        return node(type, type + "_" + operations);
    }

    public Node node(String type, String name) {
        operations++;
        return new Node(tensorflow.TF_NewOperation(graph, type, name));
    }

    /// An input of a run. A dimension of -1 is open.
    public Output placeholder(int type, long... shape) {
        return node("Placeholder").type("dtype", type).shape("shape", shape).output();
    }

    public Output constant(double value) {
        return constant(TF_FLOAT, MemorySegment.ofArray(new float[] {(float) value}));
    }

    public Output constant(long value) {
        return constant(TF_INT64, MemorySegment.ofArray(new long[] {value}));
    }

    /// A vector of int32, for shapes and axes.
    public Output vector(int... values) {
        return constant(TF_INT32, MemorySegment.ofArray(values), values.length);
    }

    /// A matrix of int32 with this many columns.
    public Output matrix(int columns, int... values) {
        return constant(TF_INT32, MemorySegment.ofArray(values), values.length / columns, columns);
    }

    /// A scalar of int32.
    public Output axis(int value) {
        return constant(TF_INT32, MemorySegment.ofArray(new int[] {value}));
    }

    Output constant(int type, MemorySegment values, long... shape) {
        TF_Tensor tensor = NativeTensors.allocate(type, values.byteSize(), shape);
        NativeTensors.memory(tensor).copyFrom(values);
        Output output =
                node("Const").type("dtype", type).tensor("value", tensor).output();
        NativeTensors.delete(tensor);
        return output;
    }

    public Output unary(String type, Output x) {
        return node(type).in(x).output();
    }

    public Output binary(String type, Output x, Output y) {
        return node(type).in(x).in(y).output();
    }

    public Output add(Output x, Output y) {
        return binary("AddV2", x, y);
    }

    public Output multiply(Output x, Output y) {
        return binary("Mul", x, y);
    }

    public Output reshape(Output x, int... shape) {
        return binary("Reshape", x, vector(shape));
    }

    /// The mean of a vector.
    public Output mean(Output x) {
        return binary("Mean", x, vector(0));
    }

    /// Rows of a variable.
    public Output gatherRows(Output handle, Output rows) {
        return node("ResourceGather")
                .in(handle)
                .in(rows)
                .type("dtype", TF_FLOAT)
                .output();
    }

    public Output cast(Output x, int type) {
        return node("Cast").in(x).type("DstT", type).output();
    }

    /// The gradients of `y` by each of `xs`; `dy` is the gradient of `y` itself.
    public List<Output> gradients(Output y, Output dy, List<Output> xs) {
        try (PointerScope _ = new PointerScope()) {
            TF_Output found = new TF_Output(xs.size());
            tensorflow.TF_AddGradients(
                    graph,
                    Output.array(List.of(y)),
                    1,
                    Output.array(xs),
                    xs.size(),
                    Output.array(List.of(dy)),
                    status.pointer(),
                    found);
            status.check();
            var gradients = new ArrayList<Output>();
            for (int i = 0; i < xs.size(); i++) {
                TF_Output gradient = found.getPointer(i);
                gradients.add(new Output(new TF_Operation(gradient.oper()), gradient.index()));
            }
            return gradients;
        }
    }

    @Override
    public void close() {
        tensorflow.TF_DeleteGraph(graph);
        status.close();
    }

    /// An operation whose inputs and attributes are being set. Asking for its output or for the operation
    /// completes it.
    public final class Node {
        private final TF_OperationDescription description;

        private Node(TF_OperationDescription description) {
            this.description = description;
        }

        public Node in(Output input) {
            try (PointerScope _ = new PointerScope()) {
                tensorflow.TF_AddInput(description, Output.array(List.of(input)));
            }
            return this;
        }

        public Node list(List<Output> inputs) {
            try (PointerScope _ = new PointerScope()) {
                tensorflow.TF_AddInputList(description, Output.array(inputs), inputs.size());
            }
            return this;
        }

        public Node type(String attribute, int type) {
            tensorflow.TF_SetAttrType(description, attribute, type);
            return this;
        }

        /// A list of types.
        public Node types(String attribute, int... types) {
            try (PointerScope _ = new PointerScope()) {
                tensorflow.TF_SetAttrTypeList(description, attribute, new IntPointer(types), types.length);
            }
            return this;
        }

        public Node integer(String attribute, long value) {
            tensorflow.TF_SetAttrInt(description, attribute, value);
            return this;
        }

        /// Runs only after this operation.
        public Node after(TF_Operation operation) {
            tensorflow.TF_AddControlInput(description, operation);
            return this;
        }

        public Node flag(String attribute) {
            tensorflow.TF_SetAttrBool(description, attribute, (byte) 1);
            return this;
        }

        public Node integers(String attribute, long... values) {
            tensorflow.TF_SetAttrIntList(description, attribute, values, values.length);
            return this;
        }

        public Node shape(String attribute, long... dimensions) {
            tensorflow.TF_SetAttrShape(description, attribute, dimensions, dimensions.length);
            return this;
        }

        public Node text(String attribute, String value) {
            try (PointerScope _ = new PointerScope()) {
                var bytes = new BytePointer(value);
                tensorflow.TF_SetAttrString(description, attribute, bytes, value.length());
            }
            return this;
        }

        public Node tensor(String attribute, TF_Tensor value) {
            tensorflow.TF_SetAttrTensor(description, attribute, value, status.pointer());
            status.check();
            return this;
        }

        public TF_Operation operation() {
            TF_Operation operation = tensorflow.TF_FinishOperation(description, status.pointer());
            status.check();
            return operation;
        }

        public Output output() {
            return new Output(operation(), 0);
        }
    }
}
