package dev.cairn.engine;

/// Random numbers as a pure function of key, stream and position. They are the same on every machine. The position
/// is one number, so a program that saves it can continue exactly.
///
/// The generator is Philox4x32-10 (Salmon et al., *Parallel Random Numbers: As Easy as 1, 2, 3*, SC 2011). Two
/// streams of one key never overlap. This class is not thread-safe: create one generator per thread, each with its
/// own stream.
public final class CounterRandom {
    private static final int MULTIPLIER_0 = 0xD2511F53;
    private static final int MULTIPLIER_1 = 0xCD9E8D57;
    private static final int WEYL_0 = 0x9E3779B9;
    private static final int WEYL_1 = 0xBB67AE85;
    private static final int ROUNDS = 10;

    private final long key;
    private final long stream;
    private long block;
    private long spare;
    private boolean hasSpare;

    public CounterRandom(long key, long stream) {
        this.key = key;
        this.stream = stream;
    }

    /// The next 64 random bits.
    public long nextLong() {
        if (hasSpare) {
            hasSpare = false;
            return spare;
        }
        long low = generate(block++);
        hasSpare = true;
        return low;
    }

    /// A number that is uniform in [0, bound) without bias (Lemire's multiply-and-reject method).
    public int nextInt(int bound) {
        if (bound <= 0) {
            throw new IllegalArgumentException("bound must be positive, not " + bound);
        }
        while (true) {
            long product = (nextLong() >>> 32) * bound;
            long low = product & 0xFFFF_FFFFL;
            if (low >= bound || low >= Integer.remainderUnsigned(-bound, bound)) {
                return (int) (product >>> 32);
            }
        }
    }

    /// A number that is uniform in [0, 1), with 53 random bits.
    public double nextDouble() {
        return (nextLong() >>> 11) * 0x1.0p-53;
    }

    /// A number that is uniform in [low, high).
    public double nextDouble(double low, double high) {
        return low + (high - low) * nextDouble();
    }

    /// A normally distributed number with mean 0 and variance 1, by the Box–Muller method with `StrictMath`.
    public double nextGaussian() {
        double radius = StrictMath.sqrt(-2 * StrictMath.log(1 - nextDouble()));
        return radius * StrictMath.cos(2 * StrictMath.PI * nextDouble());
    }

    /// Returns the low half of the 128 bits of this block, and stores the high half in `spare`.
    private long generate(long index) {
        int c0 = (int) index;
        int c1 = (int) (index >>> 32);
        int c2 = (int) stream;
        int c3 = (int) (stream >>> 32);
        int k0 = (int) key;
        int k1 = (int) (key >>> 32);
        for (int round = 0; round < ROUNDS; round++) {
            long p0 = Integer.toUnsignedLong(MULTIPLIER_0) * Integer.toUnsignedLong(c0);
            long p1 = Integer.toUnsignedLong(MULTIPLIER_1) * Integer.toUnsignedLong(c2);
            c0 = (int) (p1 >>> 32) ^ c1 ^ k0;
            c1 = (int) p1;
            c2 = (int) (p0 >>> 32) ^ c3 ^ k1;
            c3 = (int) p0;
            k0 += WEYL_0;
            k1 += WEYL_1;
        }
        spare = Integer.toUnsignedLong(c2) | (long) c3 << 32;
        return Integer.toUnsignedLong(c0) | (long) c1 << 32;
    }
}
