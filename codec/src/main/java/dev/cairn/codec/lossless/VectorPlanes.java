package dev.cairn.codec.lossless;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// Processes sixteen elements at a time; the scalar twin processes the rest. [ScalarPlanes] does the same and is easier
/// to read.
final class VectorPlanes implements PlaneKernels {
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;
    private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_128;
    private static final ByteOrder LE = ByteOrder.LITTLE_ENDIAN;
    private static final int LANES = 16;
    private static final int BELOW_EXPONENT = 0x00ff_ffff;

    private final ScalarPlanes rest = new ScalarPlanes();

    /// Whether this machine has vectors of 16 words.
    static boolean isSupported() {
        return FloatVector.SPECIES_PREFERRED.length() == LANES;
    }

    @Override
    public void split(MemorySegment u, int count, byte[] planes, int stride) {
        int whole = count & -LANES;
        for (int i = 0; i < whole; i += LANES) {
            IntVector bits = IntVector.fromMemorySegment(INTS, u, 4L * i, LE);
            IntVector turned = bits.lanewise(VectorOperators.LSHL, 1).or(bits.lanewise(VectorOperators.LSHR, 31));
            ((ByteVector) turned.convertShape(VectorOperators.I2B, BYTES, 0)).intoArray(planes, i);
            ((ByteVector) turned.lanewise(VectorOperators.LSHR, 8).convertShape(VectorOperators.I2B, BYTES, 0))
                    .intoArray(planes, stride + i);
            ((ByteVector) turned.lanewise(VectorOperators.LSHR, 16).convertShape(VectorOperators.I2B, BYTES, 0))
                    .intoArray(planes, 2 * stride + i);
            ((ByteVector) turned.lanewise(VectorOperators.LSHR, 24).convertShape(VectorOperators.I2B, BYTES, 0))
                    .intoArray(planes, 3 * stride + i);
        }
        rest.split(u, whole, count, planes, stride);
    }

    @Override
    public void join(Planes planes, int count, MemorySegment r) {
        int whole = count & -LANES;
        byte[] a0 = planes.arrays[0];
        byte[] a1 = planes.arrays[1];
        byte[] a2 = planes.arrays[2];
        byte[] a3 = planes.arrays[3];
        int s0 = planes.starts[0];
        int s1 = planes.starts[1];
        int s2 = planes.starts[2];
        int s3 = planes.starts[3];
        for (int i = 0; i < whole; i += LANES) {
            IntVector p0 = (IntVector)
                    ByteVector.fromArray(BYTES, a0, s0 + i).convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0);
            IntVector p1 = (IntVector)
                    ByteVector.fromArray(BYTES, a1, s1 + i).convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0);
            IntVector p2 = (IntVector)
                    ByteVector.fromArray(BYTES, a2, s2 + i).convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0);
            IntVector p3 = (IntVector)
                    ByteVector.fromArray(BYTES, a3, s3 + i).convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0);
            IntVector turned = p0.or(p1.lanewise(VectorOperators.LSHL, 8))
                    .or(p2.lanewise(VectorOperators.LSHL, 16).or(p3.lanewise(VectorOperators.LSHL, 24)));
            turned.lanewise(VectorOperators.LSHR, 1)
                    .or(turned.lanewise(VectorOperators.LSHL, 31))
                    .intoMemorySegment(r, 4L * i, LE);
        }
        rest.join(planes, whole, count, r);
    }

    @Override
    public void splitScaled(MemorySegment u, MemorySegment r, int count, byte[] planes, int stride) {
        int whole = count & -LANES;
        for (int i = 0; i < whole; i += LANES) {
            IntVector bits = IntVector.fromMemorySegment(INTS, u, 4L * i, LE);
            IntVector held = IntVector.fromMemorySegment(INTS, r, 4L * i, LE);
            IntVector value = bits.lanewise(VectorOperators.LSHL, 1).or(bits.lanewise(VectorOperators.LSHR, 31));
            IntVector reference = held.lanewise(VectorOperators.LSHL, 1).or(held.lanewise(VectorOperators.LSHR, 31));
            IntVector turned = value.and(~BELOW_EXPONENT)
                    .sub(reference.and(~BELOW_EXPONENT))
                    .or(value.lanewise(VectorOperators.XOR, reference).and(BELOW_EXPONENT));
            ((ByteVector) turned.convertShape(VectorOperators.I2B, BYTES, 0)).intoArray(planes, i);
            ((ByteVector) turned.lanewise(VectorOperators.LSHR, 8).convertShape(VectorOperators.I2B, BYTES, 0))
                    .intoArray(planes, stride + i);
            ((ByteVector) turned.lanewise(VectorOperators.LSHR, 16).convertShape(VectorOperators.I2B, BYTES, 0))
                    .intoArray(planes, 2 * stride + i);
            ((ByteVector) turned.lanewise(VectorOperators.LSHR, 24).convertShape(VectorOperators.I2B, BYTES, 0))
                    .intoArray(planes, 3 * stride + i);
        }
        rest.splitScaled(u, r, whole, count, planes, stride);
    }

    @Override
    public void joinScaled(Planes planes, int count, MemorySegment r) {
        int whole = count & -LANES;
        byte[] a0 = planes.arrays[0];
        byte[] a1 = planes.arrays[1];
        byte[] a2 = planes.arrays[2];
        byte[] a3 = planes.arrays[3];
        int s0 = planes.starts[0];
        int s1 = planes.starts[1];
        int s2 = planes.starts[2];
        int s3 = planes.starts[3];
        for (int i = 0; i < whole; i += LANES) {
            IntVector p0 = (IntVector)
                    ByteVector.fromArray(BYTES, a0, s0 + i).convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0);
            IntVector p1 = (IntVector)
                    ByteVector.fromArray(BYTES, a1, s1 + i).convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0);
            IntVector p2 = (IntVector)
                    ByteVector.fromArray(BYTES, a2, s2 + i).convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0);
            IntVector p3 = (IntVector)
                    ByteVector.fromArray(BYTES, a3, s3 + i).convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0);
            IntVector low = p0.or(p1.lanewise(VectorOperators.LSHL, 8)).or(p2.lanewise(VectorOperators.LSHL, 16));
            IntVector held = IntVector.fromMemorySegment(INTS, r, 4L * i, LE);
            IntVector reference = held.lanewise(VectorOperators.LSHL, 1).or(held.lanewise(VectorOperators.LSHR, 31));
            IntVector turned = reference
                    .and(~BELOW_EXPONENT)
                    .add(p3.lanewise(VectorOperators.LSHL, 24))
                    .or(low.lanewise(VectorOperators.XOR, reference.and(BELOW_EXPONENT)));
            turned.lanewise(VectorOperators.LSHR, 1)
                    .or(turned.lanewise(VectorOperators.LSHL, 31))
                    .intoMemorySegment(r, 4L * i, LE);
        }
        rest.joinScaled(planes, whole, count, r);
    }
}
