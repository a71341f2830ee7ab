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

/// The loops of [ScalarKernels] on 16 lanes, for tables of at most 16 values, so that a lookup is one instruction. This
/// class processes whole groups of 64 elements; the scalar twin processes the rest.
///
/// Loops are deliberately unrolled by hand: a helper method called several times per iteration was not always inlined,
/// and then ran fifty times slower. Not thread-safe: the rest of a block goes through a separate buffer.
public final class VectorKernels implements Kernels {
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_512;
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;
    private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_128;
    private static final ByteOrder LE = ByteOrder.LITTLE_ENDIAN;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, LE);
    private static final int GROUP = 64;

    private final ScalarKernels scalar = new ScalarKernels();
    private final QuantizedBlock rest = new QuantizedBlock();

    /// Whether this machine has vectors of 16 floats.
    public static boolean isSupported() {
        return FloatVector.SPECIES_PREFERRED.length() == LANES;
    }

    @Override
    public boolean quantizeUniform(
            MemorySegment u,
            MemorySegment r,
            int count,
            UniformSetting setting,
            QuantizedBlock block,
            float[] deltaSquares,
            float[] errorSquares) {
        block.reset(count);
        int whole = count / GROUP * GROUP;
        boolean sound = quantizeGroups(u, r, whole, setting, block, deltaSquares, errorSquares);
        if (whole < count) {
            sound &= quantizeRest(u, r, whole, setting, block, deltaSquares, errorSquares);
        }
        return sound;
    }

    private static boolean quantizeGroups(
            MemorySegment u,
            MemorySegment r,
            int count,
            UniformSetting setting,
            QuantizedBlock block,
            float[] deltaSquares,
            float[] errorSquares) {
        byte[] mask = block.mask;
        byte[] ids = block.ids;
        FloatVector inverse = FloatVector.broadcast(FLOATS, 1 / setting.step());
        FloatVector offset = FloatVector.broadcast(FLOATS, UniformSetting.CELL_OFFSET);
        FloatVector wholes = FloatVector.broadcast(FLOATS, UniformSetting.WHOLES);
        IntVector lastCell = IntVector.broadcast(INTS, UniformSetting.LAST_CELL);
        IntVector magnitudes = IntVector.fromArray(INTS, UniformSetting.MAGNITUDE_OF_CELL, 0);
        IntVector eight = IntVector.broadcast(INTS, 8);
        IntVector values = FloatVector.fromArray(FLOATS, block.values, 0).reinterpretAsInts();
        FloatVector squares = FloatVector.fromArray(FLOATS, deltaSquares, 0);
        FloatVector errors = FloatVector.fromArray(FLOATS, errorSquares, 0);
        IntVector signBit = IntVector.broadcast(INTS, 0x8000_0000);
        // Magnitude bits minus one, as unsigned: zero becomes the largest number, subnormals the smallest.
        IntVector smallest = IntVector.broadcast(INTS, -1);
        int found = 0;
        for (int i = 0; i < count; i += GROUP) {
            long at = 4L * i;
            FloatVector r0 = FloatVector.fromMemorySegment(FLOATS, r, at, LE);
            FloatVector r1 = FloatVector.fromMemorySegment(FLOATS, r, at + 64, LE);
            FloatVector r2 = FloatVector.fromMemorySegment(FLOATS, r, at + 128, LE);
            FloatVector r3 = FloatVector.fromMemorySegment(FLOATS, r, at + 192, LE);
            FloatVector d0 = FloatVector.fromMemorySegment(FLOATS, u, at, LE).sub(r0);
            FloatVector d1 =
                    FloatVector.fromMemorySegment(FLOATS, u, at + 64, LE).sub(r1);
            FloatVector d2 =
                    FloatVector.fromMemorySegment(FLOATS, u, at + 128, LE).sub(r2);
            FloatVector d3 =
                    FloatVector.fromMemorySegment(FLOATS, u, at + 192, LE).sub(r3);
            squares = d3.fma(d3, d2.fma(d2, d1.fma(d1, d0.fma(d0, squares))));
            IntVector m0 = d0.abs()
                    .fma(inverse, offset)
                    .add(wholes)
                    .reinterpretAsInts()
                    .min(lastCell)
                    .selectFrom(magnitudes);
            IntVector m1 = d1.abs()
                    .fma(inverse, offset)
                    .add(wholes)
                    .reinterpretAsInts()
                    .min(lastCell)
                    .selectFrom(magnitudes);
            IntVector m2 = d2.abs()
                    .fma(inverse, offset)
                    .add(wholes)
                    .reinterpretAsInts()
                    .min(lastCell)
                    .selectFrom(magnitudes);
            IntVector m3 = d3.abs()
                    .fma(inverse, offset)
                    .add(wholes)
                    .reinterpretAsInts()
                    .min(lastCell)
                    .selectFrom(magnitudes);
            IntVector v0 = m0.selectFrom(values);
            IntVector v1 = m1.selectFrom(values);
            IntVector v2 = m2.selectFrom(values);
            IntVector v3 = m3.selectFrom(values);
            FloatVector e0 = d0.abs().sub(v0.reinterpretAsFloats());
            FloatVector e1 = d1.abs().sub(v1.reinterpretAsFloats());
            FloatVector e2 = d2.abs().sub(v2.reinterpretAsFloats());
            FloatVector e3 = d3.abs().sub(v3.reinterpretAsFloats());
            errors = e3.fma(e3, e2.fma(e2, e1.fma(e1, e0.fma(e0, errors))));
            VectorMask<Integer> k0 = m0.compare(VectorOperators.NE, 0);
            VectorMask<Integer> k1 = m1.compare(VectorOperators.NE, 0);
            VectorMask<Integer> k2 = m2.compare(VectorOperators.NE, 0);
            VectorMask<Integer> k3 = m3.compare(VectorOperators.NE, 0);
            FloatVector a0 = r0.add(v0.or(d0.reinterpretAsInts().and(signBit)).reinterpretAsFloats(), k0.cast(FLOATS));
            FloatVector a1 = r1.add(v1.or(d1.reinterpretAsInts().and(signBit)).reinterpretAsFloats(), k1.cast(FLOATS));
            FloatVector a2 = r2.add(v2.or(d2.reinterpretAsInts().and(signBit)).reinterpretAsFloats(), k2.cast(FLOATS));
            FloatVector a3 = r3.add(v3.or(d3.reinterpretAsInts().and(signBit)).reinterpretAsFloats(), k3.cast(FLOATS));
            a0.intoMemorySegment(r, at, LE);
            a1.intoMemorySegment(r, at + 64, LE);
            a2.intoMemorySegment(r, at + 128, LE);
            a3.intoMemorySegment(r, at + 192, LE);
            smallest = smallest.lanewise(
                    VectorOperators.UMIN,
                    r0.reinterpretAsInts()
                            .lanewise(VectorOperators.AND_NOT, signBit)
                            .sub(1),
                    k0);
            smallest = smallest.lanewise(
                    VectorOperators.UMIN,
                    r1.reinterpretAsInts()
                            .lanewise(VectorOperators.AND_NOT, signBit)
                            .sub(1),
                    k1);
            smallest = smallest.lanewise(
                    VectorOperators.UMIN,
                    r2.reinterpretAsInts()
                            .lanewise(VectorOperators.AND_NOT, signBit)
                            .sub(1),
                    k2);
            smallest = smallest.lanewise(
                    VectorOperators.UMIN,
                    r3.reinterpretAsInts()
                            .lanewise(VectorOperators.AND_NOT, signBit)
                            .sub(1),
                    k3);
            long bits0 = k0.toLong();
            long bits1 = k1.toLong();
            long bits2 = k2.toLong();
            long bits3 = k3.toLong();
            LONG.set(mask, i >> 3, bits0 | (bits1 << 16) | (bits2 << 32) | (bits3 << 48));
            IntVector i0 = d0.reinterpretAsInts()
                    .lanewise(VectorOperators.LSHR, 28)
                    .and(eight)
                    .or(m0);
            IntVector i1 = d1.reinterpretAsInts()
                    .lanewise(VectorOperators.LSHR, 28)
                    .and(eight)
                    .or(m1);
            IntVector i2 = d2.reinterpretAsInts()
                    .lanewise(VectorOperators.LSHR, 28)
                    .and(eight)
                    .or(m2);
            IntVector i3 = d3.reinterpretAsInts()
                    .lanewise(VectorOperators.LSHR, 28)
                    .and(eight)
                    .or(m3);
            ((ByteVector) i0.compress(k0).convertShape(VectorOperators.I2B, BYTES, 0)).intoArray(ids, found);
            found += Long.bitCount(bits0);
            ((ByteVector) i1.compress(k1).convertShape(VectorOperators.I2B, BYTES, 0)).intoArray(ids, found);
            found += Long.bitCount(bits1);
            ((ByteVector) i2.compress(k2).convertShape(VectorOperators.I2B, BYTES, 0)).intoArray(ids, found);
            found += Long.bitCount(bits2);
            ((ByteVector) i3.compress(k3).convertShape(VectorOperators.I2B, BYTES, 0)).intoArray(ids, found);
            found += Long.bitCount(bits3);
        }
        squares.intoArray(deltaSquares, 0);
        errors.intoArray(errorSquares, 0);
        block.idCount = found;
        return areNormal(smallest);
    }

    /// @param smallest the minimum of the magnitude bits minus one, unsigned
    private static boolean areNormal(IntVector smallest) {
        return Integer.compareUnsigned(smallest.reduceLanes(VectorOperators.UMIN), 0x007f_ffff) >= 0;
    }

    private boolean quantizeRest(
            MemorySegment u,
            MemorySegment r,
            int from,
            UniformSetting setting,
            QuantizedBlock block,
            float[] deltaSquares,
            float[] errorSquares) {
        System.arraycopy(block.values, 0, rest.values, 0, LANES);
        boolean sound = scalar.quantizeUniform(
                u.asSlice(4L * from),
                r.asSlice(4L * from),
                block.count - from,
                setting,
                rest,
                deltaSquares,
                errorSquares);
        System.arraycopy(rest.mask, 0, block.mask, from / 8, rest.maskBytes());
        System.arraycopy(rest.ids, 0, block.ids, block.idCount, rest.idCount);
        block.idCount += rest.idCount;
        return sound;
    }

    @Override
    public void apply(QuantizedBlock block, MemorySegment r) {
        if (block.largestId >= LANES) {
            scalar.apply(block, r);
            return;
        }
        int whole = block.count / GROUP * GROUP;
        int used = applyGroups(block, r, whole);
        if (whole < block.count) {
            takeRest(block, whole, used);
            scalar.apply(rest, r.asSlice(4L * whole));
        }
    }

    private static int applyGroups(QuantizedBlock block, MemorySegment r, int count) {
        byte[] mask = block.mask;
        byte[] ids = block.ids;
        IntVector table = FloatVector.fromArray(FLOATS, block.values, 0).reinterpretAsInts();
        int next = 0;
        for (int i = 0; i < count; i += GROUP) {
            long at = 4L * i;
            long bits = (long) LONG.get(mask, i >> 3);
            for (int part = 0; part < GROUP / LANES; part++) {
                VectorMask<Integer> changed = VectorMask.fromLong(INTS, bits & 0xffff);
                IntVector id = ((IntVector) ByteVector.fromArray(BYTES, ids, next)
                                .convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0))
                        .expand(changed);
                FloatVector value = id.selectFrom(table).reinterpretAsFloats();
                FloatVector.fromMemorySegment(FLOATS, r, at, LE)
                        .add(value, changed.cast(FLOATS))
                        .intoMemorySegment(r, at, LE);
                next += Long.bitCount(bits & 0xffff);
                bits >>>= LANES;
                at += 4 * LANES;
            }
        }
        return next;
    }

    @Override
    public boolean applyAndCheck(QuantizedBlock block, MemorySegment r) {
        if (block.largestId >= LANES) {
            return scalar.applyAndCheck(block, r);
        }
        int whole = block.count / GROUP * GROUP;
        int used = applyAndCheckGroups(block, r, whole);
        boolean sound = used >= 0;
        if (sound && whole < block.count) {
            takeRest(block, whole, used);
            sound = scalar.applyAndCheck(rest, r.asSlice(4L * whole));
        }
        return sound;
    }

    /// Returns the number of ids used, or −1 if a value is not sound.
    private static int applyAndCheckGroups(QuantizedBlock block, MemorySegment r, int count) {
        byte[] mask = block.mask;
        byte[] ids = block.ids;
        IntVector table = FloatVector.fromArray(FLOATS, block.values, 0).reinterpretAsInts();
        IntVector magnitudeBits = IntVector.broadcast(INTS, 0x7fff_ffff);
        // Magnitude bits minus one, as unsigned: zero becomes the largest number, subnormals the smallest.
        IntVector smallest = IntVector.broadcast(INTS, -1);
        IntVector largest = IntVector.zero(INTS);
        int next = 0;
        for (int i = 0; i < count; i += GROUP) {
            long at = 4L * i;
            long bits = (long) LONG.get(mask, i >> 3);
            for (int part = 0; part < GROUP / LANES; part++) {
                VectorMask<Integer> changed = VectorMask.fromLong(INTS, bits & 0xffff);
                IntVector id = ((IntVector) ByteVector.fromArray(BYTES, ids, next)
                                .convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0))
                        .expand(changed);
                FloatVector value = id.selectFrom(table).reinterpretAsFloats();
                FloatVector before = FloatVector.fromMemorySegment(FLOATS, r, at, LE);
                FloatVector after = before.add(value, changed.cast(FLOATS));
                after.intoMemorySegment(r, at, LE);
                IntVector beforeBits = before.reinterpretAsInts().and(magnitudeBits);
                IntVector afterBits = after.reinterpretAsInts().and(magnitudeBits);
                largest = largest.lanewise(VectorOperators.MAX, afterBits, changed);
                smallest = smallest.lanewise(
                        VectorOperators.UMIN,
                        beforeBits.sub(1).lanewise(VectorOperators.UMIN, afterBits.sub(1)),
                        changed);
                next += Long.bitCount(bits & 0xffff);
                bits >>>= LANES;
                at += 4 * LANES;
            }
        }
        boolean finite = largest.reduceLanes(VectorOperators.MAX) < 0x7f80_0000;
        return finite && areNormal(smallest) ? next : -1;
    }

    private void takeRest(QuantizedBlock block, int from, int used) {
        rest.reset(block.count - from);
        rest.idCount = block.idCount - used;
        System.arraycopy(block.mask, from / 8, rest.mask, 0, rest.maskBytes());
        System.arraycopy(block.ids, used, rest.ids, 0, rest.idCount);
        System.arraycopy(block.values, 0, rest.values, 0, block.values.length);
    }
}
