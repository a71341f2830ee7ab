package dev.cairn.formats.npz;

import dev.cairn.formats.file.DamagedFileException;
import dev.cairn.formats.file.FormatException;
import dev.cairn.formats.file.NamedTensor;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The Python dictionary of an npy header: three keys, each once, in any order. The parser accepts exactly this, not
/// everything that Python accepts.
///
/// @param type NumPy's name of the type, or the list of its fields as it is written
/// @param columnMajor whether the array is stored column by column
record NpyDictionary(String type, boolean columnMajor, List<Long> shape) {
    private static final Pattern ITEM = Pattern.compile("\\s*(?:'descr'\\s*:\\s*(?:'(?<type>[^'\\\\]*)'|(?<fields>\\[))"
            + "|'fortran_order'\\s*:\\s*(?<order>True|False)"
            + "|'shape'\\s*:\\s*(?<shape>\\([^()]*\\)|\\[[^\\[\\]]*\\]|[^\\s,()\\[\\]{}']+))");
    private static final Pattern COMMA = Pattern.compile("\\s*(,?)\\s*");

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
                at = item.group("fields") == null ? item.end() : listEnd(body, item.start("fields"), end);
                if (item.group("type") != null && type == null) {
                    type = item.group("type");
                } else if (item.group("fields") != null && type == null && at > 0) {
                    type = body.substring(item.start("fields"), at);
                } else if (item.group("order") != null && order == null) {
                    order = item.group("order");
                } else if (item.group("shape") != null && shape == null) {
                    shape = dimensions(file, name, item.group("shape"));
                } else {
                    at = -1;
                    break;
                }
                Matcher comma = COMMA.matcher(body).region(at, end);
                more = comma.lookingAt() && !comma.group(1).isEmpty();
                at = comma.end();
            }
            if (at == end && type != null && order != null && shape != null) {
                return new NpyDictionary(type, order.equals("True"), shape);
            }
        }
        throw new DamagedFileException(
                file,
                "array %s: header %s instead of {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
                        .formatted(FormatException.printable(name), FormatException.printable(body)));
    }

    /// The end of a list of lists, tuples, text and numbers that begins here; -1 if there is no such list.
    private static int listEnd(String text, int from, int end) {
        int open = 0;
        char quote = 0;
        for (int at = from; at < end; at++) {
            char c = text.charAt(at);
            if (quote != 0 && c == '\\') {
                at++;
            } else if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (c == '[' || c == '(') {
                open++;
            } else if (c == ']' || c == ')') {
                open--;
                if (open == 0) {
                    return at + 1;
                }
            } else if (!Character.isWhitespace(c) && ",0123456789L".indexOf(c) < 0) {
                return -1;
            }
        }
        return -1;
    }

    /// The numbers of a tuple.
    ///
    /// @throws DamagedFileException with the shape as it is written and the reason why it is not a shape
    private static List<Long> dimensions(String file, String name, String tuple) throws DamagedFileException {
        if (!tuple.startsWith("(")) {
            throw badShape(file, name, tuple, "not a tuple such as (2, 3)");
        }
        String inner = tuple.substring(1, tuple.length() - 1);
        if (inner.isBlank()) {
            return List.of();
        }
        String[] parts = inner.split(",", NamedTensor.MOST_DIMENSIONS + 2);
        // The last part is what follows the last comma. It may be empty.
        int count = parts[parts.length - 1].isBlank() ? parts.length - 1 : parts.length;
        if (count > NamedTensor.MOST_DIMENSIONS) {
            throw badShape(file, name, tuple, "more than %d dimensions".formatted(NamedTensor.MOST_DIMENSIONS));
        }
        var shape = new ArrayList<Long>();
        for (String part : List.of(parts).subList(0, count)) {
            String dimension = part.strip();
            // Python 2 wrote 3L.
            if (!dimension.matches("[0-9]{1,18}L?")) {
                throw badShape(
                        file,
                        name,
                        tuple,
                        dimension.isEmpty()
                                ? "a dimension is missing"
                                : "'%s' is not a whole number of at most 18 digits"
                                        .formatted(FormatException.printable(dimension)));
            }
            shape.add(Long.parseLong(dimension.replace("L", "")));
        }
        if (parts.length == 1) {
            throw badShape(file, name, tuple, "one dimension is written with a comma, (%s,)".formatted(inner.strip()));
        }
        return shape;
    }

    private static DamagedFileException badShape(String file, String name, String shape, String reason) {
        return new DamagedFileException(
                file,
                "array %s: shape %s: %s"
                        .formatted(FormatException.printable(name), FormatException.printable(shape), reason));
    }
}
