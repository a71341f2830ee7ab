package dev.cairn.codec.block;

import dev.cairn.codec.CorruptBlockException;
import java.util.List;

/// How a block is stored. The code is the first byte of its frame. The codes are part of the format and never change.
enum BlockMethod {
    /// The values, not coded.
    RAW(0),
    /// The same values as the reference.
    SAME(1),
    /// All bits zero.
    ZERO(2),
    /// Lossless, from these bytes alone.
    LOSSLESS(3),
    /// Lossless, from the difference to the reference.
    LOSSLESS_DELTA(4),
    /// The reference plus values from a table, by id.
    TABLE(5),
    /// The reference, changed by steps of its logarithm, by id.
    LOG_STEPS(6),
    /// float32, lossless, from the difference to the reference: fast, for large blocks.
    LOSSLESS_LANES(7),
    /// Some values replaced, the others the same as in the reference.
    SPARSE(8),
    /// Values from a table, by id, and zeros.
    TABLE_ALONE(9),
    /// float32, lossless, mostly the reference times powers of two.
    LOSSLESS_SCALES(10),
    /// float32: the reference plus patterns of its matrix, plus values from a table, by id.
    PATTERNS(11);

    private static final List<BlockMethod> ALL = List.of(values());

    private final int code;

    BlockMethod(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    /// Whether frames with this code need no reference; false for an unknown code.
    static boolean standsAlone(int code) {
        for (BlockMethod method : ALL) {
            if (method.code == code) {
                return switch (method) {
                    case RAW, ZERO, LOSSLESS, TABLE_ALONE -> true;
                    case SAME, LOSSLESS_DELTA, TABLE, LOG_STEPS, LOSSLESS_LANES, SPARSE, LOSSLESS_SCALES, PATTERNS ->
                        false;
                };
            }
        }
        return false;
    }

    static BlockMethod ofCode(int code) throws CorruptBlockException {
        for (BlockMethod method : ALL) {
            if (method.code == code) {
                return method;
            }
        }
        throw new CorruptBlockException(0, "unknown method: code=" + code);
    }
}
