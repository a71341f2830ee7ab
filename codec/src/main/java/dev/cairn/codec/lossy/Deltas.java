package dev.cairn.codec.lossy;

import dev.cairn.codec.ElementType;
import dev.cairn.codec.lossy.kernel.Floats;
import dev.cairn.codec.lossy.kernel.Kernels;
import dev.cairn.codec.lossy.kernel.QuantizedBlock;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Adapts the float32 arithmetic of the quantizers to the other floating-point types. float32 itself is used directly.
///
/// For the other types, the delta is computed in float32 into a buffer, and a reader adds the float32 value: in double
/// precision for float64, in single precision, rounded to nearest even, for the half types. Not thread-safe: the
/// buffers are reused.
abstract class Deltas {
    static Deltas of(ElementType type) {
        return switch (type) {
            case FLOAT32 -> new Direct();
            case FLOAT64 -> new Doubles();
            case FLOAT16, BFLOAT16 -> new Halves(type == ElementType.BFLOAT16);
            case INT64,
                    INT32,
                    INT16,
                    INT8,
                    UINT8,
                    BOOL,
                    UINT64,
                    UINT32,
                    UINT16,
                    COMPLEX64,
                    FLOAT8_E4M3FN,
                    FLOAT8_E5M2,
                    FLOAT8_E4M3FNUZ,
                    FLOAT8_E5M2FNUZ,
                    FLOAT8_E8M0FNU -> throw new IllegalArgumentException(type.label() + " is not quantized");
        };
    }

    /// Whether kernels work on the reference itself, so that they change it exactly as a reader will.
    abstract boolean isDirect();

    /// Returns the minuend. The delta is `minuend − subtrahend`, element by element in float32. Both may be
    /// overwritten.
    abstract MemorySegment minuend(MemorySegment u, MemorySegment r);

    /// Returns the subtrahend. Must be called right after [#minuend].
    abstract MemorySegment subtrahend(MemorySegment u, MemorySegment r);

    abstract void apply(Kernels kernels, QuantizedBlock block, MemorySegment r);

    /// The same for the writer. Returns false if a value is not sound.
    abstract boolean applyAndCheck(Kernels kernels, QuantizedBlock block, MemorySegment r);

    private static final class Direct extends Deltas {
        @Override
        boolean isDirect() {
            return true;
        }

        @Override
        MemorySegment minuend(MemorySegment u, MemorySegment r) {
            return u;
        }

        @Override
        MemorySegment subtrahend(MemorySegment u, MemorySegment r) {
            return r;
        }

        @Override
        void apply(Kernels kernels, QuantizedBlock block, MemorySegment r) {
            kernels.apply(block, r);
        }

        @Override
        boolean applyAndCheck(Kernels kernels, QuantizedBlock block, MemorySegment r) {
            return kernels.applyAndCheck(block, r);
        }
    }

    /// Types whose elements are converted one by one.
    private abstract static class Converted extends Deltas {
        private final float[] deltas = new float[QuantizedBlock.MOST_ELEMENTS];
        private final MemorySegment zeros = MemorySegment.ofArray(new float[QuantizedBlock.MOST_ELEMENTS]);

        abstract int width();

        abstract float delta(MemorySegment u, MemorySegment r, int i);

        /// Adds a value to element i. Returns false if the result or the previous value is not sound.
        abstract boolean move(MemorySegment r, int i, float value);

        @Override
        MemorySegment minuend(MemorySegment u, MemorySegment r) {
            int count = (int) (u.byteSize() / width());
            for (int i = 0; i < count; i++) {
                deltas[i] = delta(u, r, i);
            }
            return MemorySegment.ofArray(deltas).asSlice(0, 4L * count);
        }

        @Override
        MemorySegment subtrahend(MemorySegment u, MemorySegment r) {
            return zeros.fill((byte) 0);
        }

        @Override
        boolean isDirect() {
            return false;
        }

        @Override
        void apply(Kernels kernels, QuantizedBlock block, MemorySegment r) {
            moveAll(block, r);
        }

        @Override
        boolean applyAndCheck(Kernels kernels, QuantizedBlock block, MemorySegment r) {
            return moveAll(block, r);
        }

        private boolean moveAll(QuantizedBlock block, MemorySegment r) {
            boolean sound = true;
            int next = 0;
            for (int i = 0; i < block.count; i++) {
                if (((block.mask[i >> 3] >>> (i & 7)) & 1) != 0) {
                    sound &= move(r, i, block.values[block.ids[next++] & 0xff]);
                }
            }
            return sound;
        }
    }

    private static final class Doubles extends Converted {
        private static final ValueLayout.OfDouble F64 =
                ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

        @Override
        int width() {
            return Double.BYTES;
        }

        @Override
        float delta(MemorySegment u, MemorySegment r, int i) {
            return (float) (u.get(F64, 8L * i) - r.get(F64, 8L * i));
        }

        @Override
        boolean move(MemorySegment r, int i, float value) {
            double before = r.get(F64, 8L * i);
            double after = before + value;
            r.set(F64, 8L * i, after);
            return Floats.isSound(before) && Floats.isSound(after);
        }
    }

    private static final class Halves extends Converted {
        private static final ValueLayout.OfShort BITS =
                ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

        private final boolean brain;

        Halves(boolean brain) {
            this.brain = brain;
        }

        @Override
        int width() {
            return Short.BYTES;
        }

        @Override
        float delta(MemorySegment u, MemorySegment r, int i) {
            return toFloat(u.get(BITS, 2L * i)) - toFloat(r.get(BITS, 2L * i));
        }

        @Override
        boolean move(MemorySegment r, int i, float value) {
            float before = toFloat(r.get(BITS, 2L * i));
            short after = toHalf(before + value);
            r.set(BITS, 2L * i, after);
            return Floats.isSound(before) && Floats.isSound(toFloat(after));
        }

        private float toFloat(short bits) {
            return brain ? Float.intBitsToFloat(bits << 16) : Float.float16ToFloat(bits);
        }

        private short toHalf(float value) {
            if (!brain) {
                return Float.floatToFloat16(value);
            }
            int bits = Float.floatToRawIntBits(value);
            return (short) ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16);
        }
    }
}
