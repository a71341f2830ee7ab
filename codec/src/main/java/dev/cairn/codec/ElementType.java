package dev.cairn.codec;

/// The element types a tensor may have. The label is what records and `--json` show; it never changes.
public enum ElementType {
    /// IEEE 754 double precision.
    FLOAT64("float64", 8),
    /// IEEE 754 single precision.
    FLOAT32("float32", 4),
    /// IEEE 754 half precision.
    FLOAT16("float16", 2),
    /// The upper half of a [#FLOAT32].
    BFLOAT16("bfloat16", 2),
    /// Signed, 64 bits.
    INT64("int64", 8),
    /// Signed, 32 bits.
    INT32("int32", 4),
    /// Signed, 16 bits.
    INT16("int16", 2),
    /// Signed, 8 bits.
    INT8("int8", 1),
    /// Unsigned, 8 bits.
    UINT8("uint8", 1),
    /// A byte, 0 or 1.
    BOOL("bool", 1);

    private final String label;
    private final int sizeBytes;

    ElementType(String label, int sizeBytes) {
        this.label = label;
        this.sizeBytes = sizeBytes;
    }

    /// The name that records have, such as `float32`.
    public String label() {
        return label;
    }

    /// Bytes an element.
    public int sizeBytes() {
        return sizeBytes;
    }

    /// Whether an element has sign, exponent and fraction.
    public boolean isFloating() {
        return switch (this) {
            case FLOAT64, FLOAT32, FLOAT16, BFLOAT16 -> true;
            case INT64, INT32, INT16, INT8, UINT8, BOOL -> false;
        };
    }

    /// The type of this label; `IllegalArgumentException` where there is none.
    public static ElementType ofLabel(String label) {
        for (ElementType type : values()) {
            if (type.label.equals(label)) {
                return type;
            }
        }
        throw new IllegalArgumentException("unknown element type: label=" + label);
    }
}
