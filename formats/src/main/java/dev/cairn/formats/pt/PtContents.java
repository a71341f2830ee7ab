package dev.cairn.formats.pt;

import dev.cairn.formats.file.Allowance;
import dev.cairn.formats.file.FormatException;
import dev.cairn.formats.file.TensorFile;
import dev.cairn.formats.file.UnsupportedException;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The contents of a pickle of nested dictionaries, with dots between the keys in names. Tensors stay tensors; text,
/// numbers and booleans become metadata. The key of an item in a sequence is its index.
///
/// Dictionaries may contain themselves, or the same dictionaries many times. Therefore depth, length of names and
/// number of visited values are limited, and the [Allowance] limits all names together.
final class PtContents {
    private static final int DEEPEST = 64;
    private static final int LONGEST_NAME = 4096;
    private static final int MOST_PASSED = 4_000_000;
    private static final long ENTRY_BYTES = 160;
    private static final int MOST_OPTIMIZERS = 16;

    private final String file;
    private final Allowance allowance;
    private final SequencedMap<String, Tensor> tensors = new LinkedHashMap<>();
    private final SortedMap<String, String> metadata = new TreeMap<>();
    private final List<TensorFile.Part> parts = new ArrayList<>();
    private int leftOut;
    private int passed;

    private PtContents(String file, Allowance allowance) {
        this.file = file;
        this.allowance = allowance;
    }

    static PtContents of(String file, PickleValue root, Allowance allowance) throws FormatException {
        var contents = new PtContents(file, allowance);
        if (root instanceof Tensor || root instanceof UnheldTensor) {
            throw new UnsupportedException(file, "holds one tensor without a name; save a dictionary of tensors");
        }
        contents.add("", root, 0);
        if (root instanceof Dictionary dictionary) {
            contents.findParts(dictionary);
        }
        return contents;
    }

    private void findParts(Dictionary root) {
        var first = new HashMap<String, PickleValue>();
        for (int i = 0; i < root.keys().size(); i++) {
            if (root.keys().get(i) instanceof Text(String key)
                    && (root.values().get(i) instanceof Dictionary
                            || root.values().get(i) instanceof Sequence)) {
                first.put(key, root.values().get(i));
            }
        }
        var names = new LinkedHashSet<String>();
        for (String tensor : tensors.keySet()) {
            int dot = tensor.indexOf('.');
            PickleValue part = dot < 0 ? null : first.get(tensor.substring(0, dot));
            if (part == null) {
                return;
            }
            names.add(tensor.substring(0, dot));
        }
        for (String name : names) {
            parts.add(new TensorFile.Part(name, isOptimizer(first.get(name))));
        }
    }

    /// Whether this is the `state_dict` of an optimizer, or a list of them.
    private static boolean isOptimizer(@Nullable PickleValue value) {
        return switch (value) {
            case Dictionary dictionary ->
                dictionary.keys().contains(new Text("state"))
                        && dictionary.keys().contains(new Text("param_groups"));
            case Sequence(List<PickleValue> items) ->
                !items.isEmpty() && items.stream().limit(MOST_OPTIMIZERS).allMatch(PtContents::isOptimizerOf);
            case null, default -> false;
        };
    }

    private static boolean isOptimizerOf(PickleValue item) {
        return item instanceof Dictionary && isOptimizer(item);
    }

    List<TensorFile.Part> parts() {
        return parts;
    }

    SequencedMap<String, Tensor> tensors() {
        return tensors;
    }

    SortedMap<String, String> metadata() {
        return metadata;
    }

    /// The number of values that are neither tensors nor metadata.
    int leftOut() {
        return leftOut;
    }

    private void add(String name, PickleValue value, int depth) throws FormatException {
        passed++;
        if (depth > DEEPEST || passed > MOST_PASSED || name.length() > LONGEST_NAME) {
            throw new UnsupportedException(
                    file,
                    "dictionaries are %d deep, hold %,d values or have names of %d characters; the maximum is %d, %,d and %d"
                            .formatted(depth, passed, name.length(), DEEPEST, MOST_PASSED, LONGEST_NAME));
        }
        switch (value) {
            case Dictionary dictionary -> addAll(name, dictionary, depth);
            case Sequence sequence -> addAll(name, sequence, depth);
            case Tensor tensor -> {
                if (tensors.size() == TensorFile.MOST_TENSORS) {
                    throw new UnsupportedException(file, "more than %,d tensors".formatted(TensorFile.MOST_TENSORS));
                }
                takeEntry(name, 0);
                if (tensors.put(name, tensor) != null) {
                    throw new UnsupportedException(
                            file, "two tensors would have the name " + FormatException.printable(name));
                }
            }
            case UnheldTensor(String problem) -> throw UnsupportedException.tensor(file, name, problem);
            case Text(String text) -> addMetadata(name, text);
            case Whole(long number) -> addMetadata(name, Long.toString(number));
            case WideWhole(int sizeBytes) ->
                throw new UnsupportedException(
                        file,
                        "%s is a whole number of %d bytes, but Cairn supports at most 8; save it as text, with str()"
                                .formatted(named(name), sizeBytes));
            case Real(double number) -> addMetadata(name, Double.toString(number));
            case Flag(boolean flag) -> addMetadata(name, Boolean.toString(flag));
            case Nothing _, Function _, TypeName _, UnheldType _, Storage _ -> leftOut++;
        }
    }

    private void addMetadata(String name, String text) throws FormatException {
        takeEntry(name, text.length());
        metadata.put(name, text);
    }

    /// Counts a new name, because each use of a shared dictionary creates new names.
    private void takeEntry(String name, int textLength) throws FormatException {
        allowance.take(ENTRY_BYTES + 2L * (name.length() + textLength));
    }

    private void addAll(String name, Dictionary dictionary, int depth) throws FormatException {
        for (int i = 0; i < dictionary.keys().size(); i++) {
            PickleValue value = dictionary.values().get(i);
            switch (dictionary.keys().get(i)) {
                case Text(String key) -> add(joined(name, key), value, depth + 1);
                case Whole(long key) -> add(joined(name, Long.toString(key)), value, depth + 1);
                case Flag(boolean key) -> add(joined(name, Boolean.toString(key)), value, depth + 1);
                default ->
                    throw new UnsupportedException(
                            file,
                            "a dictionary in %s has a key that is neither text nor a number of 8 bytes or less"
                                    .formatted(named(name)));
            }
        }
    }

    /// Leaves out plain values in a sequence, because they mean nothing without the rest of it.
    private void addAll(String name, Sequence sequence, int depth) throws FormatException {
        for (int i = 0; i < sequence.items().size(); i++) {
            PickleValue item = sequence.items().get(i);
            switch (item) {
                case Tensor _, UnheldTensor _, Dictionary _, Sequence _ ->
                    add(joined(name, Integer.toString(i)), item, depth + 1);
                case Text _,
                        Whole _,
                        WideWhole _,
                        Real _,
                        Flag _,
                        Nothing _,
                        Function _,
                        TypeName _,
                        UnheldType _,
                        Storage _ -> leftOut++;
            }
        }
    }

    private static String named(String name) {
        return name.isEmpty() ? "it" : FormatException.printable(name);
    }

    /// Joins a name and a key. Metadata that Cairn wrote keeps its own names.
    private static String joined(String name, String key) {
        return name.isEmpty() || name.equals(PtFile.METADATA) ? key : name + "." + key;
    }
}
