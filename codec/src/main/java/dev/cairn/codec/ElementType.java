package dev.cairn.codec;

/// The element types a tensor may have. The label is what records and `--json` show; it never changes.
public enum ElementType {
    FLOAT64("float64", 8),
    FLOAT32("float32", 4),
    FLOAT16("float16", 2),
    BFLOAT16("bfloat16", 2),
    INT64("int64", 8),
    INT32("int32", 4),
    INT16("int16", 2),
    INT8("int8", 1),
    UINT8("uint8", 1),
    BOOL("bool", 1);

    private final String label;
    private final int sizeBytes;

    ElementType(String label, int sizeBytes) {
        this.label = label;
        this.sizeBytes = sizeBytes;
    }

    public String label() {
        return label;
    }

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
