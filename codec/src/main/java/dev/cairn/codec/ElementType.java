package dev.cairn.codec;

/// The element types of tensors. Records and JSON output show the label, which never changes.
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
    BOOL("bool", 1),
    /// Unsigned, 64 bits.
    UINT64("uint64", 8),
    /// Unsigned, 32 bits.
    UINT32("uint32", 4),
    /// Unsigned, 16 bits.
    UINT16("uint16", 2),
    /// Two [#FLOAT32]: the real part, then the imaginary one.
    COMPLEX64("complex64", 8),
    /// 4 bits of exponent, 3 of fraction; no infinities.
    FLOAT8_E4M3FN("float8_e4m3fn", 1),
    /// 5 bits of exponent, 2 of fraction.
    FLOAT8_E5M2("float8_e5m2", 1),
    /// 4 bits of exponent, 3 of fraction; no infinities, no negative zero.
    FLOAT8_E4M3FNUZ("float8_e4m3fnuz", 1),
    /// 5 bits of exponent, 2 of fraction; no infinities, no negative zero.
    FLOAT8_E5M2FNUZ("float8_e5m2fnuz", 1),
    /// A power of two: 8 bits of exponent and nothing else.
    FLOAT8_E8M0FNU("float8_e8m0fnu", 1);

    private final String label;
    private final int sizeBytes;

    ElementType(String label, int sizeBytes) {
        this.label = label;
        this.sizeBytes = sizeBytes;
    }

    /// The name in records, such as `float32`.
    public String label() {
        return label;
    }

    /// The size of one element, in bytes.
    public int sizeBytes() {
        return sizeBytes;
    }

    /// Whether codecs calculate with elements of this type, and lossy codecs may round them. Elements of other types,
    /// such as eight-bit and complex numbers, are always stored bit for bit.
    public boolean isFloating() {
        return switch (this) {
            case FLOAT64, FLOAT32, FLOAT16, BFLOAT16 -> true;
            case INT64, INT32, INT16, INT8, UINT8, BOOL -> false;
            case UINT64, UINT32, UINT16, COMPLEX64 -> false;
            case FLOAT8_E4M3FN, FLOAT8_E5M2, FLOAT8_E4M3FNUZ, FLOAT8_E5M2FNUZ, FLOAT8_E8M0FNU -> false;
        };
    }

    /// Returns the type with this label.
    ///
    /// @throws IllegalArgumentException if there is no such type
    public static ElementType ofLabel(String label) {
        for (ElementType type : values()) {
            if (type.label.equals(label)) {
                return type;
            }
        }
        throw new IllegalArgumentException("unknown element type: label=" + label);
    }
}
