package dev.cairn.codec.lossless;

/// float32 bit patterns as integers in the order of their values.
final class OrderedBits {
    private OrderedBits() {}

    /// Sign and magnitude to two's complement, and back: it is its own inverse. Negative zero maps to the smallest
    /// integer, so that every bit pattern has its own place.
    static int ordered(int bits) {
        return bits ^ ((bits >> 31) & 0x7fff_ffff);
    }

    /// The difference of two patterns in that order, folded so that small ones of either sign are small numbers.
    static int folded(int wanted, int reference) {
        int difference = ordered(wanted) - ordered(reference);
        return (difference << 1) ^ (difference >> 31);
    }

    /// The pattern whose folded difference to the reference is this number.
    static int unfolded(int number, int reference) {
        return ordered(ordered(reference) + ((number >>> 1) ^ -(number & 1)));
    }
}
