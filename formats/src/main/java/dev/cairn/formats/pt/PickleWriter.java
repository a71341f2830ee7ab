package dev.cairn.formats.pt;

import dev.cairn.formats.pt.PickleValue.Dictionary;
import dev.cairn.formats.pt.PickleValue.Flag;
import dev.cairn.formats.pt.PickleValue.Function;
import dev.cairn.formats.pt.PickleValue.Nothing;
import dev.cairn.formats.pt.PickleValue.Real;
import dev.cairn.formats.pt.PickleValue.Sequence;
import dev.cairn.formats.pt.PickleValue.Storage;
import dev.cairn.formats.pt.PickleValue.Tensor;
import dev.cairn.formats.pt.PickleValue.Text;
import dev.cairn.formats.pt.PickleValue.TypeName;
import dev.cairn.formats.pt.PickleValue.UnheldTensor;
import dev.cairn.formats.pt.PickleValue.UnheldType;
import dev.cairn.formats.pt.PickleValue.Whole;
import dev.cairn.formats.pt.PickleValue.WideWhole;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// Writes the pickle of a tree, in protocol 2, as `torch.load(weights_only=True)` reads it: plain dictionaries, lists,
/// text, numbers, and calls of PyTorch's own functions that rebuild a tensor.
final class PickleWriter {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private PickleWriter() {}

    static byte[] write(PickleValue root) {
        var pickle = new PickleWriter();
        pickle.op(0x80).op(2);
        pickle.value(root);
        pickle.op('.');
        return pickle.out.toByteArray();
    }

    private void value(PickleValue value) {
        switch (value) {
            case Dictionary(List<PickleValue> keys, List<PickleValue> values) -> {
                op('}').op('(');
                for (int i = 0; i < keys.size(); i++) {
                    value(keys.get(i));
                    value(values.get(i));
                }
                op('u');
            }
            case Sequence(List<PickleValue> items) -> {
                op(']').op('(');
                items.forEach(this::value);
                op('e');
            }
            case Tensor tensor -> tensor(tensor);
            case Text(String text) -> text(text);
            case Whole(long number) -> whole(number);
            case Real(double number) -> real(number);
            case Flag(boolean flag) -> op(flag ? 0x88 : 0x89);
            case Nothing _ -> op('N');
            case WideWhole _, Function _, TypeName _, Storage _, UnheldTensor _, UnheldType _ ->
                throw new IllegalArgumentException("not a value that can be written: " + value);
        }
    }

    private void tensor(Tensor tensor) {
        Optional<String> storageClass = PtTypes.storageClass(tensor.type());
        Storage storage = tensor.storage();
        global("torch._utils", storageClass.isPresent() ? "_rebuild_tensor_v2" : "_rebuild_tensor_v3");
        op('(').op('(').text("storage");
        global(storageClass.isPresent() ? "torch" : "torch.storage", storageClass.orElse("UntypedStorage"));
        text(storage.key()).text("cpu");
        whole(
                storageClass.isPresent()
                        ? storage.count()
                        : storage.count() * tensor.type().sizeBytes());
        op('t').op('Q');
        whole(tensor.offset());
        tuple(tensor.shape());
        tuple(tensor.strides());
        op(0x89);
        global("collections", "OrderedDict");
        op(')').op('R');
        if (storageClass.isEmpty()) {
            global("torch", tensor.type().label());
        }
        op('t').op('R');
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

    /// Writes a float. It is the only number that pickles store with its highest byte first.
    private void real(double number) {
        op('G');
        little(Long.reverseBytes(Double.doubleToRawLongBits(number)), Long.BYTES);
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
