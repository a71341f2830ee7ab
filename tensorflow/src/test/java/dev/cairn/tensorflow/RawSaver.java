package dev.cairn.tensorflow;

import static org.tensorflow.internal.c_api.global.tensorflow.TFE_DeleteContext;
import static org.tensorflow.internal.c_api.global.tensorflow.TFE_DeleteContextOptions;
import static org.tensorflow.internal.c_api.global.tensorflow.TFE_DeleteOp;
import static org.tensorflow.internal.c_api.global.tensorflow.TFE_DeleteTensorHandle;
import static org.tensorflow.internal.c_api.global.tensorflow.TFE_Execute;
import static org.tensorflow.internal.c_api.global.tensorflow.TFE_NewContext;
import static org.tensorflow.internal.c_api.global.tensorflow.TFE_NewContextOptions;
import static org.tensorflow.internal.c_api.global.tensorflow.TFE_NewOp;
import static org.tensorflow.internal.c_api.global.tensorflow.TFE_NewTensorHandle;
import static org.tensorflow.internal.c_api.global.tensorflow.TFE_OpAddInput;
import static org.tensorflow.internal.c_api.global.tensorflow.TFE_OpSetAttrTypeList;
import static org.tensorflow.internal.c_api.global.tensorflow.TFE_TensorHandleResolve;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_CheckpointReaderGetVariable;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_CheckpointReaderGetVariableDataType;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_CheckpointReaderGetVariableNumDims;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_CheckpointReaderGetVariableShape;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_CheckpointReaderSize;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_DeleteCheckpointReader;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_Dim;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_NewCheckpointReader;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_NumDims;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_StringCopy;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_StringInit;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_TensorByteSize;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_TensorData;

import dev.cairn.formats.file.NamedTensor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.ToIntFunction;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.PointerPointer;
import org.tensorflow.internal.c_api.TFE_Context;
import org.tensorflow.internal.c_api.TFE_ContextOptions;
import org.tensorflow.internal.c_api.TFE_Op;
import org.tensorflow.internal.c_api.TFE_TensorHandle;
import org.tensorflow.internal.c_api.TF_CheckpointReader;
import org.tensorflow.internal.c_api.TF_Status;
import org.tensorflow.internal.c_api.TF_TString;
import org.tensorflow.internal.c_api.TF_Tensor;
import org.tensorflow.proto.DataType;

/// TensorFlow's operations `SaveV2` and `RestoreV2` through the C interface, which supports tensors of all types. The
/// Java interface supports half of them.
final class RawSaver implements AutoCloseable {
    private final TF_Status status = TF_Status.newStatus();
    private final TFE_Context context;
    private final ToIntFunction<NamedTensor> types;

    RawSaver(ToIntFunction<NamedTensor> types) {
        TFE_ContextOptions options = TFE_NewContextOptions();
        this.context = TFE_NewContext(options, status);
        status.throwExceptionIfNotOK();
        TFE_DeleteContextOptions(options);
        this.types = types;
    }

    void save(Path prefix, SequencedMap<NamedTensor, byte[]> tensors) {
        TFE_Op op = start("SaveV2", prefix, tensors.sequencedKeySet().stream().toList());
        tensors.forEach((tensor, bytes) -> input(op, allocate(types.applyAsInt(tensor), tensor.shape(), bytes)));
        run(op, 0);
    }

    /// The bytes of tensors with the requested types and shapes.
    SequencedMap<NamedTensor, byte[]> restore(Path prefix, List<NamedTensor> tensors) {
        List<TF_Tensor> found = run(start("RestoreV2", prefix, tensors), tensors.size());
        var bytes = new LinkedHashMap<NamedTensor, byte[]>();
        for (int i = 0; i < found.size(); i++) {
            TF_Tensor tensor = found.get(i);
            var shape = new ArrayList<Long>();
            for (int dimension = 0; dimension < TF_NumDims(tensor); dimension++) {
                shape.add(TF_Dim(tensor, dimension));
            }
            byte[] content = new byte[Math.toIntExact(TF_TensorByteSize(tensor))];
            if (content.length > 0) {
                new BytePointer(TF_TensorData(tensor)).get(content);
            }
            bytes.put(new NamedTensor(tensors.get(i).name(), tensors.get(i).type(), shape), content);
            tensor.delete();
        }
        return bytes;
    }

    /// The list that `tf.train.load_checkpoint` returns: names, each with the number of its type and its
    /// dimensions.
    Map<String, List<Long>> list(Path prefix) {
        TF_CheckpointReader reader = TF_NewCheckpointReader(prefix.toString(), status);
        status.throwExceptionIfNotOK();
        var found = new HashMap<String, List<Long>>();
        for (int i = 0; i < TF_CheckpointReaderSize(reader); i++) {
            BytePointer name = TF_CheckpointReaderGetVariable(reader, i);
            var numbers = new ArrayList<Long>();
            numbers.add((long) TF_CheckpointReaderGetVariableDataType(reader, name));
            int count = TF_CheckpointReaderGetVariableNumDims(reader, name);
            long[] dimensions = new long[count];
            TF_CheckpointReaderGetVariableShape(reader, name, dimensions, count, status);
            status.throwExceptionIfNotOK();
            for (long dimension : dimensions) {
                numbers.add(dimension);
            }
            found.put(name.getString(StandardCharsets.UTF_8), numbers);
        }
        TF_DeleteCheckpointReader(reader);
        return found;
    }

    private TFE_Op start(String name, Path prefix, List<NamedTensor> tensors) {
        TFE_Op op = TFE_NewOp(context, name, status);
        status.throwExceptionIfNotOK();
        int[] numbers = tensors.stream().mapToInt(types).toArray();
        TFE_OpSetAttrTypeList(op, "dtypes", numbers, numbers.length);
        input(op, text(List.of(), List.of(prefix.toString())));
        List<Long> length = List.of((long) tensors.size());
        input(op, text(length, tensors.stream().map(NamedTensor::name).toList()));
        input(op, text(length, Collections.nCopies(tensors.size(), "")));
        return op;
    }

    private void input(TFE_Op op, TF_Tensor tensor) {
        TFE_TensorHandle handle = TFE_NewTensorHandle(tensor, status);
        status.throwExceptionIfNotOK();
        TFE_OpAddInput(op, handle, status);
        status.throwExceptionIfNotOK();
        TFE_DeleteTensorHandle(handle);
        tensor.delete();
    }

    private List<TF_Tensor> run(TFE_Op op, int outputs) {
        var found = new ArrayList<TF_Tensor>();
        try (var handles = new PointerPointer<TFE_TensorHandle>(Math.max(1, outputs));
                var count = new IntPointer(1).put(outputs)) {
            TFE_Execute(op, handles, count, status);
            status.throwExceptionIfNotOK();
            for (int i = 0; i < outputs; i++) {
                TFE_TensorHandle handle = handles.get(TFE_TensorHandle.class, i);
                found.add(TFE_TensorHandleResolve(handle, status));
                status.throwExceptionIfNotOK();
                TFE_DeleteTensorHandle(handle);
            }
        }
        TFE_DeleteOp(op);
        return found;
    }

    private static TF_Tensor allocate(int type, List<Long> shape, byte[] bytes) {
        TF_Tensor tensor = TF_Tensor.allocateTensor(
                type, shape.stream().mapToLong(Long::longValue).toArray(), bytes.length);
        if (bytes.length > 0) {
            new BytePointer(TF_TensorData(tensor)).put(bytes);
        }
        return tensor;
    }

    private static TF_Tensor text(List<Long> shape, List<String> texts) {
        long[] dimensions = shape.stream().mapToLong(Long::longValue).toArray();
        int width = new TF_TString().sizeof();
        TF_Tensor tensor = TF_Tensor.allocateTensor(DataType.DT_STRING_VALUE, dimensions, (long) texts.size() * width);
        var strings = new TF_TString(TF_TensorData(tensor));
        for (int i = 0; i < texts.size(); i++) {
            byte[] bytes = texts.get(i).getBytes(StandardCharsets.UTF_8);
            TF_TString string = new TF_TString(strings).position(i);
            TF_StringInit(string);
            try (var pointer = new BytePointer(Arrays.copyOf(bytes, Math.max(1, bytes.length)))) {
                TF_StringCopy(string, pointer, bytes.length);
            }
        }
        return tensor;
    }

    @Override
    public void close() {
        TFE_DeleteContext(context);
        status.delete();
    }
}
