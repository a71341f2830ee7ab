package dev.cairn.formats;

import dev.cairn.formats.PickleValue.Dictionary;
import dev.cairn.formats.PickleValue.Flag;
import dev.cairn.formats.PickleValue.Function;
import dev.cairn.formats.PickleValue.Nothing;
import dev.cairn.formats.PickleValue.Real;
import dev.cairn.formats.PickleValue.Sequence;
import dev.cairn.formats.PickleValue.Storage;
import dev.cairn.formats.PickleValue.Tensor;
import dev.cairn.formats.PickleValue.Text;
import dev.cairn.formats.PickleValue.TypeName;
import dev.cairn.formats.PickleValue.UnheldTensor;
import dev.cairn.formats.PickleValue.UnheldType;
import dev.cairn.formats.PickleValue.Whole;
import dev.cairn.formats.PickleValue.WideWhole;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a pickle of nested dictionaries holds, by names with dots between the keys: tensors, and as metadata text,
/// numbers and truth values. What is in sequences has its place for a key.
///
/// Dictionaries that contain themselves, or others over and over, end it: depth, length of names and the number of
/// values that are passed are bounded.
final class PtContents {
    private static final int DEEPEST = 64;
    private static final int LONGEST_NAME = 4096;
    private static final int MOST_PASSED = 4_000_000;

    private final String file;
    private final SequencedMap<String, Tensor> tensors = new LinkedHashMap<>();
    private final SortedMap<String, String> metadata = new TreeMap<>();
    private int leftOut;
    private int passed;

    private PtContents(String file) {
        this.file = file;
    }

    static PtContents of(String file, PickleValue root) throws FormatException {
        var contents = new PtContents(file);
        if (root instanceof Tensor || root instanceof UnheldTensor) {
            throw new UnsupportedException(file, "holds one tensor without a name; save a dictionary of tensors");
        }
        contents.add("", root, 0);
        return contents;
    }

    SequencedMap<String, Tensor> tensors() {
        return tensors;
    }

    SortedMap<String, String> metadata() {
        return metadata;
    }

    /// How many values are neither.
    int leftOut() {
        return leftOut;
    }

    private void add(String name, PickleValue value, int depth) throws FormatException {
        passed++;
        if (depth > DEEPEST || passed > MOST_PASSED || name.length() > LONGEST_NAME) {
            throw new UnsupportedException(
                    file,
                    "dictionaries that are %d deep, hold %,d values or have names of %d characters; at most %d, %,d and %d"
                            .formatted(depth, passed, name.length(), DEEPEST, MOST_PASSED, LONGEST_NAME));
        }
        switch (value) {
            case Dictionary dictionary -> addAll(name, dictionary, depth);
            case Sequence sequence -> addAll(name, sequence, depth);
            case Tensor tensor -> {
                if (tensors.size() == TensorFile.MOST_TENSORS) {
                    throw new UnsupportedException(file, "more than %,d tensors".formatted(TensorFile.MOST_TENSORS));
                }
                if (tensors.put(name, tensor) != null) {
                    throw new UnsupportedException(
                            file, "two tensors would have the name " + FormatException.printable(name));
                }
            }
            case UnheldTensor(String problem) -> throw UnsupportedException.tensor(file, name, problem);
            case Text(String text) -> metadata.put(name, text);
            case Whole(long number) -> metadata.put(name, Long.toString(number));
            case WideWhole(int sizeBytes) ->
                throw new UnsupportedException(
                        file,
                        "%s is a whole number of %d bytes, and Cairn holds 8 at most; save it as text, with str()"
                                .formatted(named(name), sizeBytes));
            case Real(double number) -> metadata.put(name, Double.toString(number));
            case Flag(boolean flag) -> metadata.put(name, Boolean.toString(flag));
            case Nothing _, Function _, TypeName _, UnheldType _, Storage _ -> leftOut++;
        }
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
                            "a dictionary in %s has a key that is neither text nor a number of 8 bytes at most"
                                    .formatted(named(name)));
            }
        }
    }

    /// Plain values in a sequence say nothing without the rest of it.
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

    /// Where metadata is meant, that of Cairn's own files has the names that it was given.
    private static String joined(String name, String key) {
        return name.isEmpty() || name.equals(PtFile.METADATA) ? key : name + "." + key;
    }
}
