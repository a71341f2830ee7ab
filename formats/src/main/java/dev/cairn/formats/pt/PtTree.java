package dev.cairn.formats.pt;

import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.pt.PickleValue.Dictionary;
import dev.cairn.formats.pt.PickleValue.Flag;
import dev.cairn.formats.pt.PickleValue.Real;
import dev.cairn.formats.pt.PickleValue.Sequence;
import dev.cairn.formats.pt.PickleValue.Storage;
import dev.cairn.formats.pt.PickleValue.Tensor;
import dev.cairn.formats.pt.PickleValue.Text;
import dev.cairn.formats.pt.PickleValue.Whole;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/// Builds the contents of a pt file: the dictionary that `torch.load` returns. Tensor number i has its own storage with
/// the key i.
public final class PtTree {
    private final Map<String, Tensor> tensors = new LinkedHashMap<>();

    private PtTree(List<NamedTensor> named) {
        for (NamedTensor tensor : named) {
            long count = tensor.sizeBytes() / tensor.type().sizeBytes();
            var storage = new Storage(tensor.type(), Integer.toString(tensors.size()), count);
            tensors.put(tensor.name(), new Tensor(storage, tensor.type(), 0, tensor.shape(), strides(tensor.shape())));
        }
    }

    /// Tensors by their names, and the metadata, if there is any.
    public static PickleValue flat(List<NamedTensor> named, SortedMap<String, String> metadata) {
        var tree = new PtTree(named);
        var root = new Dictionary();
        tree.tensors.forEach((name, tensor) -> put(root, name, tensor));
        return withMetadata(root, metadata);
    }

    /// Tensors nested as in the state of a PyTorch program.
    public static PickleValue nested(List<NamedTensor> named, TorchState state, SortedMap<String, String> metadata) {
        var tree = new PtTree(named);
        var model = new Dictionary();
        state.model().stream().sorted(inOrder(named)).forEach(name -> put(model, name, tree.take(name)));
        var root = new Dictionary();
        put(root, "model", model);
        state.optimizer().ifPresent(optimizer -> put(root, TorchState.OPTIMIZER, tree.optimizer(optimizer)));
        if (!tree.tensors.isEmpty()) {
            var other = new Dictionary();
            tree.tensors.forEach((name, tensor) -> put(other, name, tensor));
            put(root, "other", other);
        }
        return withMetadata(root, metadata);
    }

    private static Comparator<String> inOrder(List<NamedTensor> named) {
        var places = new LinkedHashMap<String, Integer>();
        named.forEach(tensor -> places.put(tensor.name(), places.size()));
        return Comparator.comparing(places::get);
    }

    private Dictionary optimizer(TorchState.Optimizer optimizer) {
        var state = new Dictionary();
        var numbers = new Sequence();
        for (int i = 0; i < optimizer.parameters().size(); i++) {
            TorchState.Parameter parameter = optimizer.parameters().get(i);
            numbers.items().add(new Whole(i));
            if (!parameter.isEmpty()) {
                var held = new Dictionary();
                parameter.values().forEach((key, value) -> put(held, key, plain(value)));
                parameter.tensors().forEach((key, name) -> put(held, key, take(name)));
                state.keys().add(new Whole(i));
                state.values().add(held);
            }
        }
        var group = new Dictionary();
        optimizer.options().forEach((key, value) -> put(group, key, plain(value)));
        put(group, "params", numbers);
        var groups = new Sequence();
        groups.items().add(group);
        var whole = new Dictionary();
        put(whole, "state", state);
        put(whole, "param_groups", groups);
        return whole;
    }

    private PickleValue take(String name) {
        Tensor tensor = tensors.remove(name);
        if (tensor == null) {
            throw new IllegalArgumentException("missing or repeated tensor: " + name);
        }
        return tensor;
    }

    private static PickleValue plain(Object value) {
        return switch (value) {
            case Long number -> new Whole(number);
            case Double number -> new Real(number);
            case Boolean flag -> new Flag(flag);
            case List<?> items -> {
                var sequence = new Sequence();
                items.forEach(item -> sequence.items().add(plain(item)));
                yield sequence;
            }
            default -> throw new IllegalArgumentException("not a plain value: " + value);
        };
    }

    private static Dictionary withMetadata(Dictionary root, SortedMap<String, String> metadata) {
        if (!metadata.isEmpty()) {
            var texts = new Dictionary();
            metadata.forEach((key, text) -> put(texts, key, new Text(text)));
            put(root, PtFile.METADATA, texts);
        }
        return root;
    }

    private static void put(Dictionary dictionary, String key, PickleValue value) {
        dictionary.keys().add(new Text(key));
        dictionary.values().add(value);
    }

    private static List<Long> strides(List<Long> shape) {
        Long[] strides = new Long[shape.size()];
        long stride = 1;
        for (int i = shape.size() - 1; i >= 0; i--) {
            strides[i] = stride;
            stride *= Math.max(1, shape.get(i));
        }
        return List.of(strides);
    }
}
