package dev.cairn.formats;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The Python dictionary of an npy header: three keys, each once, in any order. A grammar of exactly that; whatever
/// else Python would read is not.
///
/// @param type NumPy's name of it
/// @param columnMajor whether the array is stored column by column
record NpyDictionary(String type, boolean columnMajor, List<Long> shape) {
    private static final int MOST_DIMENSIONS = 1000;
    private static final Pattern ITEM = Pattern.compile("\\s*(?:'descr'\\s*:\\s*'(?<type>[^'\\\\]*)'"
            + "|'fortran_order'\\s*:\\s*(?<order>True|False)"
            + "|'shape'\\s*:\\s*\\((?<shape>[0-9, L]*)\\))\\s*(?<end>,?)\\s*");

    static NpyDictionary parse(String file, String name, String text) throws DamagedFileException {
        String body = text.strip();
        String type = null;
        String order = null;
        List<Long> shape = null;
        if (body.length() >= 2 && body.startsWith("{") && body.endsWith("}")) {
            Matcher item = ITEM.matcher(body);
            int at = 1;
            int end = body.length() - 1;
            boolean more = true;
            while (at < end && more && item.region(at, end).lookingAt()) {
                at = item.end();
                more = !item.group("end").isEmpty();
                if (item.group("type") != null && type == null) {
                    type = item.group("type");
                } else if (item.group("order") != null && order == null) {
                    order = item.group("order");
                } else if (item.group("shape") != null && shape == null) {
                    shape = dimensions(item.group("shape"));
                } else {
                    at = -1;
                    break;
                }
            }
            if (at == end && type != null && order != null && shape != null) {
                return new NpyDictionary(type, order.equals("True"), shape);
            }
        }
        throw new DamagedFileException(
                file,
                "array %s: header %s, not {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
                        .formatted(FormatException.printable(name), FormatException.printable(body)));
    }

    /// Null where it is no tuple of numbers.
    private static @Nullable List<Long> dimensions(String tuple) {
        if (tuple.isBlank()) {
            return List.of();
        }
        String[] parts = tuple.split(",", MOST_DIMENSIONS + 1);
        var shape = new ArrayList<Long>();
        for (int i = 0; i < parts.length; i++) {
            String part = parts[i].strip();
            boolean trailing = part.isEmpty() && i == parts.length - 1 && i > 0;
            if (trailing) {
                break;
            }
            // Python 2 wrote 3L.
            if (!part.matches("[0-9]{1,18}L?") || parts.length == 1) {
                return null;
            }
            shape.add(Long.parseLong(part.replace("L", "")));
        }
        return shape;
    }
}
