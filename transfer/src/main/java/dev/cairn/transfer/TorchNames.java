package dev.cairn.transfer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.cairn.formats.file.DamagedFileException;
import dev.cairn.formats.pt.TorchState;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// The names of a checkpoint's tensors in a file that nests them as PyTorch programs do.
///
/// @param moments the checkpoint's names of the optimizer's tensors, by their names in the file; the other
///     tensors have the name of a part as prefix
record TorchNames(Map<String, String> moments) {
    static final String KEY = "cairn.names";

    private static final String OPTIMIZER = "optimizer.";
    private static final JsonMapper JSON = new JsonMapper();

    static String write(TorchState state) {
        var names = new TreeMap<String, String>();
        state.optimizer().ifPresent(optimizer -> {
            for (int i = 0; i < optimizer.parameters().size(); i++) {
                int number = i;
                optimizer
                        .parameters()
                        .get(i)
                        .tensors()
                        .forEach((key, name) -> names.put(TorchState.nameOf(number, key), name));
            }
        });
        try {
            return JSON.writeValueAsString(names);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static boolean isIn(Map<String, String> metadata) {
        return metadata.containsKey(KEY);
    }

    /// Removes the names from the metadata, together with the optimizer's options, which are also in the
    /// attributes.
    ///
    /// @param tensors the number of tensors in the file
    static TorchNames take(String file, SortedMap<String, String> metadata, int tensors) throws DamagedFileException {
        String text = metadata.remove(KEY);
        metadata.keySet().removeIf(name -> name.startsWith(OPTIMIZER));
        try {
            return new TorchNames(text == null ? Map.of() : TextMap.parse(text, tensors));
        } catch (IllegalArgumentException e) {
            throw new DamagedFileException(file, "its metadata '%s' is not what Cairn writes".formatted(KEY));
        }
    }

    /// Returns the name in the checkpoint.
    String of(String name) {
        if (name.startsWith(TorchState.MODEL)) {
            return name.substring(TorchState.MODEL.length());
        }
        return name.startsWith(TorchState.OTHER)
                ? name.substring(TorchState.OTHER.length())
                : moments.getOrDefault(name, name);
    }
}
