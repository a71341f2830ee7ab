package dev.cairn.formats.npz;

import dev.cairn.codec.ElementType;
import dev.cairn.formats.file.DamagedFileException;
import dev.cairn.formats.file.FormatException;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.UnsupportedException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// The header of an array in NumPy's npy format: magic, version, length, and a Python dictionary with type, order and
/// shape. Versions 1 to 3 are read. Version 1 is written, or version 2 if the shape is too long for it.
final class NpyHeader {
    static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

    /// The size of magic, version, and the two bytes of the length that all versions have.
    static final int PREFIX_BYTES = 10;

    private static final int ALIGNMENT = 64;
    private static final Map<String, ElementType> TYPES = Map.ofEntries(
            Map.entry("<f8", ElementType.FLOAT64),
            Map.entry("<f4", ElementType.FLOAT32),
            Map.entry("<f2", ElementType.FLOAT16),
            Map.entry("<i8", ElementType.INT64),
            Map.entry("<i4", ElementType.INT32),
            Map.entry("<i2", ElementType.INT16),
            Map.entry("|i1", ElementType.INT8),
            Map.entry("<u8", ElementType.UINT64),
            Map.entry("<u4", ElementType.UINT32),
            Map.entry("<u2", ElementType.UINT16),
            Map.entry("|u1", ElementType.UINT8),
            Map.entry("|b1", ElementType.BOOL),
            Map.entry("<c8", ElementType.COMPLEX64));

    private NpyHeader() {}

    static byte[] write(String file, NamedTensor tensor) throws UnsupportedException {
        String type = TYPES.entrySet().stream()
                .filter(entry -> entry.getValue() == tensor.type())
                .map(Map.Entry::getKey)
                .findAny()
                .orElseThrow(() -> UnsupportedException.tensor(
                        file,
                        tensor.name(),
                        "has the type %s, which NumPy does not know; export as safetensors or pt"
                                .formatted(tensor.type().label())));
        String dimensions = tensor.shape().stream().map(String::valueOf).collect(Collectors.joining(", "));
        String text = "{'descr': '%s', 'fortran_order': False, 'shape': (%s%s), }"
                .formatted(type, dimensions, tensor.shape().size() == 1 ? "," : "");
        boolean wide = text.length() + ALIGNMENT > 0xffff;
        int prefix = MAGIC.length + 2 + (wide ? 4 : 2);
        int length = Math.ceilDiv(prefix + text.length() + 1, ALIGNMENT) * ALIGNMENT - prefix;
        byte[] bytes = new byte[prefix + length];
        System.arraycopy(MAGIC, 0, bytes, 0, MAGIC.length);
        bytes[MAGIC.length] = (byte) (wide ? 2 : 1);
        for (int i = 0; i < (wide ? 4 : 2); i++) {
            bytes[MAGIC.length + 2 + i] = (byte) (length >>> (8 * i));
        }
        String padded = text + " ".repeat(length - text.length() - 1) + "\n";
        System.arraycopy(padded.getBytes(StandardCharsets.US_ASCII), 0, bytes, prefix, length);
        return bytes;
    }

    /// Returns the array that this dictionary describes.
    static NamedTensor parse(String file, String name, String dictionary) throws FormatException {
        NpyDictionary fields = NpyDictionary.parse(file, name, dictionary);
        ElementType type = TYPES.get(fields.type());
        if (type == null) {
            throw UnsupportedException.tensor(
                    file,
                    name,
                    "has the NumPy type '%s', which Cairn does not read; %s"
                            .formatted(
                                    FormatException.printable(fields.type()),
                                    FormatException.printable(cure(fields.type()))));
        }
        if (fields.columnMajor() && !isOneRow(fields.shape())) {
            throw UnsupportedException.tensor(
                    file, name, "is stored column by column (fortran_order); save it with np.ascontiguousarray");
        }
        try {
            return new NamedTensor(name, type, fields.shape());
        } catch (IllegalArgumentException e) {
            throw new DamagedFileException(file, "array " + FormatException.printable(name + ": " + e.getMessage()));
        }
    }

    private static String cure(String type) {
        if (type.startsWith("[")) {
            return "save each of its fields as a separate array";
        }
        return type.startsWith(">")
                ? "save it with the little-endian type '<%s'".formatted(type.substring(1))
                : "save it with a type of "
                        + String.join(" ", TYPES.keySet().stream().sorted().toList());
    }

    /// Whether row-by-row and column-by-column order are the same.
    private static boolean isOneRow(List<Long> shape) {
        return shape.contains(0L)
                || shape.stream().filter(dimension -> dimension != 1).count() <= 1;
    }
}
