package dev.cairn.codec.lossless;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// Processes a row of 16 elements at a time, one in each lane of [LaneBits]. The scalar twin processes an incomplete
/// last row. [ScalarDifferences] does the same and is easier to read.
final class VectorDifferences implements DifferenceKernels {
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;
    private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_128;
    private static final ByteOrder LE = ByteOrder.LITTLE_ENDIAN;
    private static final int LANES = LaneBits.LANES;
    private static final int TOP = 0x8000_0000;

    private final ScalarDifferences rest = new ScalarDifferences();

    /// Whether this machine has vectors of 16 words.
    static boolean isSupported() {
        return FloatVector.SPECIES_PREFERRED.length() == LANES;
    }

    @Override
    public void split(MemorySegment u, MemorySegment r, int count, int floor, byte[] symbols, LaneBits bits) {
        int whole = count & -LANES;
        rest.split(u, r, whole, count, floor, symbols, bits);
        IntVector low = IntVector.fromArray(INTS, bits.low, 0);
        IntVector high = IntVector.fromArray(INTS, bits.high, 0);
        IntVector offset = IntVector.fromArray(INTS, bits.offset, 0);
        IntVector top = IntVector.broadcast(INTS, TOP);
        IntVector zero = IntVector.zero(INTS);
        int[] words = bits.words;
        int end = bits.end;
        for (int i = whole - LANES; i >= 0; i -= LANES) {
            IntVector wanted = IntVector.fromMemorySegment(INTS, u, 4L * i, LE);
            IntVector reference = IntVector.fromMemorySegment(INTS, r, 4L * i, LE);
            wanted.intoMemorySegment(r, 4L * i, LE);
            IntVector difference = wanted.sub(reference);
            IntVector number = difference
                    .lanewise(VectorOperators.LSHL, 1)
                    .lanewise(VectorOperators.XOR, difference.lanewise(VectorOperators.ASHR, 31));
            IntVector leadingZeros = number.lanewise(VectorOperators.LEADING_ZEROS_COUNT);
            IntVector symbol = reference
                    .lanewise(VectorOperators.LSHL, 1)
                    .lanewise(VectorOperators.LSHR, 24)
                    .max(floor)
                    .sub(leadingZeros)
                    .add(32 - floor);
            ((ByteVector) zero.blend(symbol, number.compare(VectorOperators.NE, 0))
                            .convertShape(VectorOperators.I2B, BYTES, 0))
                    .intoArray(symbols, i);
            IntVector length = leadingZeros.neg().add(31).max(0);
            IntVector string =
                    number.lanewise(VectorOperators.AND_NOT, top.lanewise(VectorOperators.LSHR, leadingZeros));
            offset = offset.sub(length);
            VectorMask<Integer> full = offset.compare(VectorOperators.LT, 0);
            high.compress(full).intoArray(words, end);
            end += full.trueCount();
            high = high.blend(low, full);
            low = low.blend(0, full);
            offset = offset.and(31);
            low = low.or(string.lanewise(VectorOperators.LSHL, offset));
            high = high.or(string.lanewise(VectorOperators.LSHR, 1)
                    .lanewise(VectorOperators.LSHR, offset.lanewise(VectorOperators.XOR, 31)));
        }
        low.intoArray(bits.low, 0);
        high.intoArray(bits.high, 0);
        offset.intoArray(bits.offset, 0);
        bits.end = end;
    }

    @Override
    public boolean join(byte[] symbols, LaneBits bits, int count, int floor, MemorySegment r) {
        int whole = count & -LANES;
        return joinRows(symbols, bits, whole, floor, r) && rest.join(symbols, bits, whole, count, floor, r);
    }

    private static boolean joinRows(byte[] symbols, LaneBits bits, int count, int floor, MemorySegment r) {
        IntVector low = IntVector.fromArray(INTS, bits.low, 0);
        IntVector high = IntVector.fromArray(INTS, bits.high, 0);
        IntVector offset = IntVector.fromArray(INTS, bits.offset, 0);
        IntVector one = IntVector.broadcast(INTS, 1);
        IntVector wrong = IntVector.zero(INTS);
        int[] words = bits.words;
        int end = bits.end;
        for (int i = 0; i < count; i += LANES) {
            IntVector symbol = (IntVector)
                    ByteVector.fromArray(BYTES, symbols, i).convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0);
            IntVector reference = IntVector.fromMemorySegment(INTS, r, 4L * i, LE);
            VectorMask<Integer> differs = symbol.compare(VectorOperators.NE, 0);
            IntVector length = symbol.sub(reference
                            .lanewise(VectorOperators.LSHL, 1)
                            .lanewise(VectorOperators.LSHR, 24)
                            .max(floor))
                    .add(floor - 1);
            length = IntVector.zero(INTS).blend(length, differs);
            wrong = wrong.or(length);
            length = length.and(31);
            IntVector window = low.lanewise(VectorOperators.LSHR, offset)
                    .or(high.lanewise(VectorOperators.LSHL, 1)
                            .lanewise(VectorOperators.LSHL, offset.lanewise(VectorOperators.XOR, 31)));
            IntVector leading = one.lanewise(VectorOperators.LSHL, length);
            IntVector number = window.and(leading.sub(1)).or(leading);
            offset = offset.add(length);
            VectorMask<Integer> used = offset.compare(VectorOperators.GE, 32);
            offset = offset.and(31);
            end -= used.trueCount();
            if (end < 0) {
                return false;
            }
            low = low.blend(high, used);
            high = high.blend(IntVector.fromArray(INTS, words, end).expand(used), used);
            IntVector difference = number.lanewise(VectorOperators.LSHR, 1)
                    .lanewise(VectorOperators.XOR, number.and(1).neg());
            reference.add(difference, differs).intoMemorySegment(r, 4L * i, LE);
        }
        low.intoArray(bits.low, 0);
        high.intoArray(bits.high, 0);
        offset.intoArray(bits.offset, 0);
        bits.end = end;
        return (wrong.reduceLanes(VectorOperators.OR) & ~31) == 0;
    }
}
