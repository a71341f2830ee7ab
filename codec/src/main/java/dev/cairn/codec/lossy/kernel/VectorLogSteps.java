package dev.cairn.codec.lossy.kernel;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// Processes sixteen elements at a time, and skips them if none moves, which is almost always the case. The scalar twin
/// processes the elements after the last whole vector of 16 (to quantize) or the last whole group of 64 (to apply).
/// [ScalarLogSteps] does the same and is easier to read.
final class VectorLogSteps implements LogKernels {
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;
    private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_128;
    private static final ByteOrder LE = ByteOrder.LITTLE_ENDIAN;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, LE);
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, LE);
    private static final int LANES = 16;
    private static final int GROUP = 64;

    private final ScalarLogSteps rest = new ScalarLogSteps();

    /// Whether this machine has vectors of 16 words.
    static boolean isSupported() {
        return FloatVector.SPECIES_PREFERRED.length() == LANES;
    }

    @Override
    public int quantize(MemorySegment u, MemorySegment r, int count, int shift, QuantizedBlock block, byte[] jumps) {
        block.reset(count);
        byte[] mask = block.mask;
        byte[] ids = block.ids;
        int whole = count & -LANES;
        IntVector limit = IntVector.broadcast(INTS, INFINITY - 1);
        IntVector half = IntVector.broadcast(INTS, 1 << (shift - 1));
        IntVector tenth = IntVector.broadcast(INTS, (1 << shift) / 10);
        // A lane is negative if a value is negative or beyond the limit.
        IntVector wrong = IntVector.zero(INTS);
        int found = 0;
        int jumped = 0;
        for (int i = 0; i < whole; i += LANES) {
            IntVector wanted = IntVector.fromMemorySegment(INTS, u, 4L * i, LE);
            IntVector held = IntVector.fromMemorySegment(INTS, r, 4L * i, LE);
            wrong = wrong.or(wanted).or(held).or(limit.sub(wanted)).or(limit.sub(held));
            IntVector difference = wanted.sub(held);
            VectorMask<Integer> down = difference.compare(VectorOperators.LT, 0);
            IntVector steps =
                    difference.add(half).blend(tenth.sub(difference), down).lanewise(VectorOperators.LSHR, shift);
            VectorMask<Integer> fromZero =
                    held.compare(VectorOperators.LT, SMALLEST_NORMAL).and(difference.compare(VectorOperators.NE, 0));
            VectorMask<Integer> changed = steps.compare(VectorOperators.NE, 0).or(fromZero);
            long bits = changed.toLong();
            SHORT.set(mask, i >> 3, (short) bits);
            if (bits == 0) {
                continue;
            }
            IntVector distance = steps.lanewise(VectorOperators.LSHL, shift);
            IntVector moved = held.add(distance).blend(held.sub(distance), down);
            VectorMask<Integer> jump = fromZero.or(steps.compare(VectorOperators.GT, 7))
                    .or(moved.compare(VectorOperators.LT, SMALLEST_NORMAL))
                    .or(moved.compare(VectorOperators.GE, INFINITY))
                    .and(changed);
            IntVector exponent = wanted.add(SMALLEST_NORMAL - 1)
                    .lanewise(VectorOperators.LSHR, 23)
                    .min(LARGEST_EXPONENT);
            IntVector id = steps.blend(steps.or(8), down).blend(JUMP, jump);
            IntVector after = moved.blend(exponent.lanewise(VectorOperators.LSHL, 23), jump);
            held.blend(after, changed).intoMemorySegment(r, 4L * i, LE);
            ((ByteVector) id.compress(changed).convertShape(VectorOperators.I2B, BYTES, 0)).intoArray(ids, found);
            ((ByteVector) exponent.compress(jump).convertShape(VectorOperators.I2B, BYTES, 0)).intoArray(jumps, jumped);
            found += Long.bitCount(bits);
            jumped += jump.trueCount();
        }
        block.idCount = found;
        boolean sound = wrong.reduceLanes(VectorOperators.OR) >= 0;
        return sound ? rest.quantize(u, r, whole, shift, block, jumps, jumped) : -1;
    }

    @Override
    public int apply(QuantizedBlock block, MemorySegment r, int shift, byte[] jumps, int jumpCount) {
        byte[] mask = block.mask;
        byte[] ids = block.ids;
        int whole = block.count / GROUP * GROUP;
        IntVector limit = IntVector.broadcast(INTS, INFINITY - 1);
        // A lane is negative if a value is negative or beyond the limit.
        IntVector wrong = IntVector.zero(INTS);
        int next = 0;
        int jumped = 0;
        for (int i = 0; i < whole; i += GROUP) {
            long bits = (long) LONG.get(mask, i >> 3);
            if (bits == 0) {
                continue;
            }
            long at = 4L * i;
            for (int part = 0; part < GROUP / LANES; part++) {
                VectorMask<Integer> changed = VectorMask.fromLong(INTS, bits & 0xffff);
                IntVector id = ((IntVector) ByteVector.fromArray(BYTES, ids, next)
                                .convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0))
                        .expand(changed);
                VectorMask<Integer> jump = id.compare(VectorOperators.EQ, JUMP);
                IntVector exponent = ((IntVector) ByteVector.fromArray(BYTES, jumps, jumped)
                                .convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0))
                        .expand(jump);
                IntVector distance = id.and(7).lanewise(VectorOperators.LSHL, shift);
                IntVector before = IntVector.fromMemorySegment(INTS, r, at, LE);
                IntVector moved = before.add(distance)
                        .blend(before.sub(distance), id.compare(VectorOperators.GT, JUMP))
                        .blend(exponent.lanewise(VectorOperators.LSHL, 23), jump);
                wrong = wrong.lanewise(VectorOperators.OR, moved.or(limit.sub(moved)), changed);
                before.blend(moved, changed).intoMemorySegment(r, at, LE);
                next += Long.bitCount(bits & 0xffff);
                jumped += jump.trueCount();
                bits >>>= LANES;
                at += 4 * LANES;
            }
        }
        boolean sound = wrong.reduceLanes(VectorOperators.OR) >= 0;
        return sound && jumped <= jumpCount ? rest.apply(block, whole, next, r, shift, jumps, jumped, jumpCount) : -1;
    }
}
