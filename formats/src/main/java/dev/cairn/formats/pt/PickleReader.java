package dev.cairn.formats.pt;

import dev.cairn.codec.ElementType;
import dev.cairn.formats.file.Allowance;
import dev.cairn.formats.file.FormatException;
import dev.cairn.formats.file.UnsupportedException;
import dev.cairn.formats.pt.PickleValue.Dictionary;
import dev.cairn.formats.pt.PickleValue.Flag;
import dev.cairn.formats.pt.PickleValue.Function;
import dev.cairn.formats.pt.PickleValue.Nothing;
import dev.cairn.formats.pt.PickleValue.Real;
import dev.cairn.formats.pt.PickleValue.Sequence;
import dev.cairn.formats.pt.PickleValue.Storage;
import dev.cairn.formats.pt.PickleValue.Text;
import dev.cairn.formats.pt.PickleValue.TypeName;
import dev.cairn.formats.pt.PickleValue.UnheldType;
import dev.cairn.formats.pt.PickleValue.Whole;
import dev.cairn.formats.pt.PickleValue.WideWhole;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads a pickle as a description of data. A pickle is a program for a small stack machine. In Python, the program may
/// call anything. This reader knows dictionaries, sequences, text, numbers, and PyTorch's storages and tensors, and
/// nothing else. Any other name and any other operation is an [UnsupportedException] that names it. Nothing is ever
/// looked up or called.
///
/// All memory that it uses is taken from an [Allowance]: values, places on the stack and in the memo, and items.
final class PickleReader {
    /// The first byte of every pickle since protocol 2.
    static final int FIRST_BYTE = 0x80;

    static final Nothing NONE = new Nothing("None");

    /// The memory of a reference in a list that is half larger than necessary and was copied from a smaller one.
    private static final long PLACE_BYTES = 20;

    /// The memory of a place and of its own number.
    private static final long MARK_BYTES = 40;

    private final String file;
    private final PickleInput in;
    private final Allowance allowance;
    private final List<PickleValue> stack = new ArrayList<>();
    private final List<Integer> marks = new ArrayList<>();
    private final PickleMemo memo = new PickleMemo();
    private int highest;

    private PickleReader(String file, byte[] bytes, Allowance allowance) {
        this.file = file;
        this.in = new PickleInput(file, bytes);
        this.allowance = allowance;
    }

    static PickleValue read(String file, byte[] bytes, Allowance allowance) throws FormatException {
        return new PickleReader(file, bytes, allowance).run();
    }

    private PickleValue run() throws FormatException {
        while (true) {
            int operation = in.u8();
            if (operation == '.') {
                return pop();
            }
            step(operation);
        }
    }

    private void step(int operation) throws FormatException {
        switch (operation) {
            case FIRST_BYTE -> in.skip(1); // PROTO
            case 0x95 -> in.skip(8); // FRAME
            case '(' -> mark(); // MARK
            case '0' -> pop(); // POP
            case 'N' -> push(NONE);
            case 0x88 -> push(new Flag(true)); // NEWTRUE
            case 0x89 -> push(new Flag(false)); // NEWFALSE
            case 'J' -> push(new Whole(in.i32())); // BININT
            case 'K' -> push(new Whole(in.u8())); // BININT1
            case 'M' -> push(new Whole(in.u16())); // BININT2
            case 0x8a -> push(whole(in.u8())); // LONG1
            case 'G' -> push(new Real(in.f64())); // BINFLOAT
            case 'X' -> push(new Text(in.text(Integer.toUnsignedLong(in.i32())))); // BINUNICODE
            case 0x8c -> push(new Text(in.text(in.u8()))); // SHORT_BINUNICODE
            case 0x8d -> push(new Text(in.text(in.i64()))); // BINUNICODE8
            case 'U' -> push(new Text(in.text(in.u8()))); // SHORT_BINSTRING
            case 'B' -> skipBytes(Integer.toUnsignedLong(in.i32())); // BINBYTES
            case 'C' -> skipBytes(in.u8()); // SHORT_BINBYTES
            case 0x8e -> skipBytes(in.i64()); // BINBYTES8
            case '}' -> push(new Dictionary());
            case ']' -> push(new Sequence());
            case ')' -> push(new Sequence(List.of()));
            case 't' -> push(new Sequence(popToMark())); // TUPLE
            case 0x85 -> push(new Sequence(popLast(1))); // TUPLE1
            case 0x86 -> push(new Sequence(popLast(2))); // TUPLE2
            case 0x87 -> push(new Sequence(popLast(3))); // TUPLE3
            case 'a' -> appendTo(popLast(1)); // APPEND
            case 'e' -> appendTo(popToMark()); // APPENDS
            case 's' -> setItems(popLast(2)); // SETITEM
            case 'u' -> setItems(popToMark()); // SETITEMS
            case 'q' -> remember(in.u8()); // BINPUT
            case 'r' -> remember(in.i32()); // LONG_BINPUT
            case 0x94 -> remember(memo.size()); // MEMOIZE
            case 'h' -> pushAgain(remembered(in.u8())); // BINGET
            case 'j' -> pushAgain(remembered(in.i32())); // LONG_BINGET
            case 'c' -> push(global(in.line() + "." + in.line())); // GLOBAL
            case 0x93 -> stackGlobal(); // STACK_GLOBAL
            case 'Q' -> push(storage(pop())); // BINPERSID
            case 'R' -> reduce(); // REDUCE
            case 'b' -> build(); // BUILD
            default ->
                throw new UnsupportedException(
                        file,
                        "its pickle has the operation 0x%02x, which no tensor needs; nothing in it was run"
                                .formatted(operation));
        }
    }

    private void push(PickleValue value) throws FormatException {
        allowance.take(value.heapBytes());
        pushAgain(value);
    }

    /// Pushes a value that is already counted.
    private void pushAgain(PickleValue value) throws FormatException {
        stack.add(value);
        if (stack.size() > highest) {
            highest = stack.size();
            allowance.take(PLACE_BYTES);
        }
    }

    private void mark() throws FormatException {
        allowance.take(MARK_BYTES);
        marks.add(stack.size());
    }

    /// Stores the last value under a number. Numbers come in order, so none is larger than the number of bytes
    /// that were read.
    private void remember(int number) throws FormatException {
        if (number < 0 || number >= in.position()) {
            throw in.damaged("a value cannot be stored as number " + Integer.toUnsignedString(number));
        }
        allowance.take(memo.growthBytes(number));
        memo.put(number, peek());
    }

    private PickleValue pop() throws FormatException {
        PickleValue value = peek();
        stack.removeLast();
        return value;
    }

    /// The last value above the last mark.
    private PickleValue peek() throws FormatException {
        if (stack.size() <= (marks.isEmpty() ? 0 : marks.getLast())) {
            throw in.damaged("a value is missing");
        }
        return stack.getLast();
    }

    private List<PickleValue> popLast(int count) throws FormatException {
        int from = stack.size() - count;
        if (from < (marks.isEmpty() ? 0 : marks.getLast())) {
            throw in.damaged("values are missing");
        }
        return popFrom(from);
    }

    private List<PickleValue> popToMark() throws FormatException {
        if (marks.isEmpty()) {
            throw in.damaged("a mark is missing");
        }
        return popFrom(marks.removeLast());
    }

    private List<PickleValue> popFrom(int from) {
        List<PickleValue> last = stack.subList(from, stack.size());
        List<PickleValue> popped = List.copyOf(last);
        last.clear();
        return popped;
    }

    private PickleValue whole(int sizeBytes) throws FormatException {
        if (sizeBytes > Long.BYTES) {
            in.skip(sizeBytes);
            return new WideWhole(sizeBytes);
        }
        return new Whole(in.whole(sizeBytes));
    }

    private void skipBytes(long length) throws FormatException {
        in.skip(length);
        push(new Nothing("bytes"));
    }

    private PickleValue remembered(int index) throws FormatException {
        PickleValue value = memo.get(index);
        if (value == null) {
            throw in.damaged("there is no value number " + index);
        }
        return value;
    }

    private void appendTo(List<PickleValue> items) throws FormatException {
        if (!(peek() instanceof Sequence(ArrayList<PickleValue> list))) {
            throw in.damaged("an item is added to something that is not a list,");
        }
        allowance.take(PLACE_BYTES * items.size());
        list.addAll(items);
    }

    private void setItems(List<PickleValue> items) throws FormatException {
        if (!(peek() instanceof Dictionary dictionary) || items.size() % 2 != 0) {
            throw in.damaged("a key and a value are added to something that is not a dictionary,");
        }
        allowance.take(PLACE_BYTES * items.size());
        for (int i = 0; i < items.size(); i += 2) {
            dictionary.keys().add(items.get(i));
            dictionary.values().add(items.get(i + 1));
        }
    }

    private PickleValue global(String name) throws FormatException {
        Optional<PickleFunction> function = PickleFunction.of(name);
        if (function.isPresent()) {
            return new Function(function.get());
        }
        return PtTypes.of(name)
                .orElseThrow(() -> new UnsupportedException(
                        file,
                        "its pickle names %s, which is neither tensor nor plain data; nothing in it was run. Save a state_dict"
                                .formatted(FormatException.printable(name))));
    }

    private void stackGlobal() throws FormatException {
        List<PickleValue> names = popLast(2);
        if (!(names.getFirst() instanceof Text(String module)) || !(names.getLast() instanceof Text(String name))) {
            throw in.damaged("a name that is not text");
        }
        push(global(module + "." + name));
    }

    /// `('storage', CLASS, KEY, DEVICE, COUNT)`.
    private PickleValue storage(PickleValue id) throws FormatException {
        if (id instanceof Sequence(List<PickleValue> parts)
                && parts.size() == 5
                && parts.get(0) instanceof Text(String kind)
                && kind.equals("storage")
                && parts.get(2) instanceof Text(String key)
                && parts.get(4) instanceof Whole(long count)) {
            if (parts.get(1) instanceof TypeName(ElementType type)) {
                return new Storage(type, key, count);
            }
            if (parts.get(1) instanceof UnheldType unheld) {
                return unheld;
            }
        }
        throw in.damaged("a reference that is not a storage");
    }

    private void reduce() throws FormatException {
        List<PickleValue> call = popLast(2);
        if (!(call.getFirst() instanceof Function(PickleFunction function))
                || !(call.getLast() instanceof Sequence(List<PickleValue> arguments))) {
            throw in.damaged("a call of something that is not a function,");
        }
        Optional<PickleValue> result = PickleCalls.result(function, arguments);
        push(result.orElseThrow(
                () -> in.damaged("a call of %s with invalid arguments".formatted(function.qualifiedName()))));
    }

    /// Ignores attributes of a dictionary, such as the versions of a model's layers: they do not affect its
    /// tensors.
    private void build() throws FormatException {
        pop();
        if (!(peek() instanceof Dictionary)) {
            throw in.damaged("attributes are set on something that is not a dictionary,");
        }
    }
}
