package dev.cairn.codec.huffman;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// [ZeroSplit] for whole blocks of 64 bytes: three times as fast, with the same bytes. Bytes are compressed as ints. Of
/// the machines with 512-bit vectors, only the newest have an instruction that compresses bytes, and the others would
/// be slower than scalar code. Load this class only if the vector module is present.
final class VectorZeroSplit {
    static final int BLOCK = 64;

    private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_512;
    private static final VectorSpecies<Byte> QUARTER = ByteVector.SPECIES_128;
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;

    private VectorZeroSplit() {}

    static boolean isSupported() {
        return ByteVector.SPECIES_PREFERRED.length() == BLOCK;
    }

    static int split(byte[] bytes, int from, int count, byte[] flags, byte[] nonZero) {
        int p = 0;
        for (int i = 0; i < count; i += BLOCK) {
            int at = from + i;
            long bits = ByteVector.fromArray(BYTES, bytes, at)
                    .compare(VectorOperators.NE, (byte) 0)
                    .toLong();
            Bytes.LONG.set(flags, i >>> 3, bits);
            IntVector v0 =
                    (IntVector) ByteVector.fromArray(QUARTER, bytes, at + 0).convertShape(VectorOperators.B2I, INTS, 0);
            ((ByteVector) v0.compress(v0.compare(VectorOperators.NE, 0)).convertShape(VectorOperators.I2B, QUARTER, 0))
                    .intoArray(nonZero, p);
            p += Long.bitCount((bits >>> 0) & 0xFFFF);
            IntVector v1 = (IntVector)
                    ByteVector.fromArray(QUARTER, bytes, at + 16).convertShape(VectorOperators.B2I, INTS, 0);
            ((ByteVector) v1.compress(v1.compare(VectorOperators.NE, 0)).convertShape(VectorOperators.I2B, QUARTER, 0))
                    .intoArray(nonZero, p);
            p += Long.bitCount((bits >>> 16) & 0xFFFF);
            IntVector v2 = (IntVector)
                    ByteVector.fromArray(QUARTER, bytes, at + 32).convertShape(VectorOperators.B2I, INTS, 0);
            ((ByteVector) v2.compress(v2.compare(VectorOperators.NE, 0)).convertShape(VectorOperators.I2B, QUARTER, 0))
                    .intoArray(nonZero, p);
            p += Long.bitCount((bits >>> 32) & 0xFFFF);
            IntVector v3 = (IntVector)
                    ByteVector.fromArray(QUARTER, bytes, at + 48).convertShape(VectorOperators.B2I, INTS, 0);
            ((ByteVector) v3.compress(v3.compare(VectorOperators.NE, 0)).convertShape(VectorOperators.I2B, QUARTER, 0))
                    .intoArray(nonZero, p);
            p += Long.bitCount((bits >>> 48) & 0xFFFF);
        }
        return p;
    }

    static int join(byte[] flags, byte[] nonZero, byte[] bytes, int at, int count) {
        int p = 0;
        for (int i = 0; i < count; i += BLOCK) {
            int to = at + i;
            long bits = (long) Bytes.LONG.get(flags, i >>> 3);
            IntVector v0 =
                    (IntVector) ByteVector.fromArray(QUARTER, nonZero, p).convertShape(VectorOperators.B2I, INTS, 0);
            ((ByteVector) v0.expand(VectorMask.fromLong(INTS, (bits >>> 0) & 0xFFFF))
                            .convertShape(VectorOperators.I2B, QUARTER, 0))
                    .intoArray(bytes, to + 0);
            p += Long.bitCount((bits >>> 0) & 0xFFFF);
            IntVector v1 =
                    (IntVector) ByteVector.fromArray(QUARTER, nonZero, p).convertShape(VectorOperators.B2I, INTS, 0);
            ((ByteVector) v1.expand(VectorMask.fromLong(INTS, (bits >>> 16) & 0xFFFF))
                            .convertShape(VectorOperators.I2B, QUARTER, 0))
                    .intoArray(bytes, to + 16);
            p += Long.bitCount((bits >>> 16) & 0xFFFF);
            IntVector v2 =
                    (IntVector) ByteVector.fromArray(QUARTER, nonZero, p).convertShape(VectorOperators.B2I, INTS, 0);
            ((ByteVector) v2.expand(VectorMask.fromLong(INTS, (bits >>> 32) & 0xFFFF))
                            .convertShape(VectorOperators.I2B, QUARTER, 0))
                    .intoArray(bytes, to + 32);
            p += Long.bitCount((bits >>> 32) & 0xFFFF);
            IntVector v3 =
                    (IntVector) ByteVector.fromArray(QUARTER, nonZero, p).convertShape(VectorOperators.B2I, INTS, 0);
            ((ByteVector) v3.expand(VectorMask.fromLong(INTS, (bits >>> 48) & 0xFFFF))
                            .convertShape(VectorOperators.I2B, QUARTER, 0))
                    .intoArray(bytes, to + 48);
            p += Long.bitCount((bits >>> 48) & 0xFFFF);
        }
        return p;
    }
}
