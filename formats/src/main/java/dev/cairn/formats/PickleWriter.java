package dev.cairn.formats;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/// The pickle of a dictionary of tensors, in protocol 2, as `torch.load(weights_only=True)` reads it: plain
/// dictionaries, text, and calls of PyTorch's own functions that rebuild a tensor. Storage number i has the key i.
final class PickleWriter {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private PickleWriter() {}

    static byte[] write(List<NamedTensor> tensors, SortedMap<String, String> metadata) {
        var pickle = new PickleWriter();
        pickle.op(0x80).op(2).op('}').op('(');
        for (int i = 0; i < tensors.size(); i++) {
            pickle.text(tensors.get(i).name()).tensor(i, tensors.get(i));
        }
        if (!metadata.isEmpty()) {
            pickle.text(PtFile.METADATA).op('}').op('(');
            for (Map.Entry<String, String> entry : metadata.entrySet()) {
                pickle.text(entry.getKey()).text(entry.getValue());
            }
            pickle.op('u');
        }
        pickle.op('u').op('.');
        return pickle.out.toByteArray();
    }

    private void tensor(int index, NamedTensor tensor) {
        Optional<String> storageClass = PtTypes.storageClass(tensor.type());
        long width = tensor.type().sizeBytes();
        global("torch._utils", storageClass.isPresent() ? "_rebuild_tensor_v2" : "_rebuild_tensor_v3");
        op('(').op('(').text("storage");
        global(storageClass.isPresent() ? "torch" : "torch.storage", storageClass.orElse("UntypedStorage"));
        text(Integer.toString(index)).text("cpu");
        whole(storageClass.isPresent() ? tensor.sizeBytes() / width : tensor.sizeBytes());
        op('t').op('Q');
        whole(0);
        tuple(tensor.shape());
        tuple(strides(tensor.shape()));
        op(0x89);
        global("collections", "OrderedDict");
        op(')').op('R');
        if (storageClass.isEmpty()) {
            global("torch", tensor.type().label());
        }
        op('t').op('R');
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

    private void tuple(List<Long> numbers) {
        op('(');
        numbers.forEach(this::whole);
        op('t');
    }

    private PickleWriter op(int code) {
        out.write(code);
        return this;
    }

    private PickleWriter text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        op('X');
        little(bytes.length, Integer.BYTES);
        out.writeBytes(bytes);
        return this;
    }

    private void whole(long number) {
        if (number == (int) number) {
            op('J');
            little(number, Integer.BYTES);
        } else {
            op(0x8a).op(Long.BYTES);
            little(number, Long.BYTES);
        }
    }

    private void little(long number, int bytes) {
        for (int i = 0; i < bytes; i++) {
            out.write((int) (number >>> (8 * i)));
        }
    }

    private void global(String module, String name) {
        op('c');
        out.writeBytes((module + "\n" + name + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
