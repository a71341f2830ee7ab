package dev.cairn.tensorflow.session;

import dev.cairn.codec.ElementType;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.tensorflow.GraphOperation;
import org.tensorflow.Operation;
import org.tensorflow.OperationBuilder;
import org.tensorflow.Output;
import org.tensorflow.Session;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.op.Scope;
import org.tensorflow.proto.DataType;
import org.tensorflow.types.TBfloat16;
import org.tensorflow.types.TBool;
import org.tensorflow.types.TFloat16;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TFloat64;
import org.tensorflow.types.TInt32;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.TUint16;
import org.tensorflow.types.TUint8;
import org.tensorflow.types.family.TType;

/// A variable of a graph, of either kind, with the operations that read and assign all of it.
///
/// @param value the output to fetch
/// @param fed the placeholder of `assignment`
record SessionVariable(Kind kind, Shape shape, TensorSpec spec, Output<?> value, Output<?> fed, Operation assignment) {
    private static final String RESOURCE = "VarHandleOp";
    private static final Set<String> TYPES = Set.of(RESOURCE, "VariableV2", "Variable");

    /// The types of elements in TensorFlow-Java, except text.
    record Kind(ElementType element, Class<? extends TType> type) {
        static Kind of(String name, DataType type) {
            return switch (type) {
                case DT_DOUBLE, DT_DOUBLE_REF -> new Kind(ElementType.FLOAT64, TFloat64.class);
                case DT_FLOAT, DT_FLOAT_REF -> new Kind(ElementType.FLOAT32, TFloat32.class);
                case DT_HALF, DT_HALF_REF -> new Kind(ElementType.FLOAT16, TFloat16.class);
                case DT_BFLOAT16, DT_BFLOAT16_REF -> new Kind(ElementType.BFLOAT16, TBfloat16.class);
                case DT_INT64, DT_INT64_REF -> new Kind(ElementType.INT64, TInt64.class);
                case DT_INT32, DT_INT32_REF -> new Kind(ElementType.INT32, TInt32.class);
                case DT_UINT16, DT_UINT16_REF -> new Kind(ElementType.UINT16, TUint16.class);
                case DT_UINT8, DT_UINT8_REF -> new Kind(ElementType.UINT8, TUint8.class);
                case DT_BOOL, DT_BOOL_REF -> new Kind(ElementType.BOOL, TBool.class);
                default ->
                    throw new IllegalArgumentException(
                            "variable of a type that TensorFlow-Java does not support: name=%s type=%s"
                                    .formatted(name, type));
            };
        }
    }

    /// All variables of the session's graph, in its order.
    static List<GraphOperation> find(Session session) {
        var found = new ArrayList<GraphOperation>();
        session.graph().operations().forEachRemaining(operation -> {
            if (TYPES.contains(operation.type())) {
                found.add(operation);
            }
        });
        return found;
    }

    /// Adds the operations for a variable to the graph.
    static SessionVariable of(GraphOperation variable, Role role, Scope scope) {
        String name = variable.name();
        if (!TYPES.contains(variable.type())) {
            throw new IllegalArgumentException("not a variable: name=%s operation=%s".formatted(name, variable.type()));
        }
        DataType type = variable.attributes().getAttrType("dtype");
        Kind kind = Kind.of(name, type);
        Shape shape = variable.attributes().getAttrShape("shape");
        if (shape.isUnknown() || shape.hasUnknownDimension()) {
            throw new IllegalArgumentException(
                    "variable without a shape: name=%s shape=%s; create it with its shape".formatted(name, shape));
        }
        var spec = new TensorSpec(name, kind.element(), longs(shape), role);
        Output<?> handle = variable.output(0);
        Output<?> fed = builder(scope, "Placeholder")
                .setAttr("dtype", type)
                .setAttr("shape", shape)
                .build()
                .output(0);
        if (variable.type().equals(RESOURCE)) {
            Output<?> value = builder(scope, "ReadVariableOp")
                    .addInput(handle)
                    .setAttr("dtype", type)
                    .build()
                    .output(0);
            Operation assignment = builder(scope, "AssignVariableOp")
                    .addInput(handle)
                    .addInput(fed)
                    .setAttr("dtype", type)
                    .build();
            return new SessionVariable(kind, shape, spec, value, fed, assignment);
        }
        Operation assignment =
                builder(scope, "Assign").addInput(handle).addInput(fed).build();
        return new SessionVariable(kind, shape, spec, handle, fed, assignment);
    }

    private static OperationBuilder builder(Scope scope, String type) {
        return scope.env().opBuilder(type, scope.makeOpName(type), scope);
    }

    private static List<Long> longs(Shape shape) {
        var longs = new ArrayList<Long>();
        for (int i = 0; i < shape.numDimensions(); i++) {
            longs.add(shape.get(i));
        }
        return longs;
    }
}
