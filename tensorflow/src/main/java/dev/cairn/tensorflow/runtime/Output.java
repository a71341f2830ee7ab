package dev.cairn.tensorflow.runtime;

import java.util.List;
import org.tensorflow.internal.c_api.TF_Operation;
import org.tensorflow.internal.c_api.TF_Output;

/// One output of an operation in a graph. Valid as long as the graph.
public record Output(TF_Operation operation, int index) {
    /// The outputs for the C interface: an array of structures, which belongs to the caller's `PointerScope`.
    static TF_Output array(List<Output> outputs) {
        var array = new TF_Output(Math.max(1, outputs.size()));
        for (int i = 0; i < outputs.size(); i++) {
            array.getPointer(i)
                    .oper(outputs.get(i).operation())
                    .index(outputs.get(i).index());
        }
        return array;
    }
}
