package dev.cairn.codec.huffman;

import java.util.SplittableRandom;

/// Byte sequences that coders usually get, and extreme ones that they must handle.
enum Corpus {
    ID_PAIRS {
        @Override
        byte next(SplittableRandom random, int i) {
            return (byte) (id(random, 0.78) | (id(random, 0.78) << 4));
        }
    },
    SPARSE_PAIRS {
        @Override
        byte next(SplittableRandom random, int i) {
            return (byte) (id(random, 0.97) | (id(random, 0.97) << 4));
        }
    },
    DRIFTING {
        @Override
        byte next(SplittableRandom random, int i) {
            double zeros = 0.5 + 0.4 * Math.sin(i / 3000.0);
            return (byte) (id(random, zeros) | (id(random, zeros) << 4));
        }
    },
    EXPONENTS {
        @Override
        byte next(SplittableRandom random, int i) {
            return (byte) (124 + 2 * random.nextGaussian());
        }
    },
    NOISE {
        @Override
        byte next(SplittableRandom random, int i) {
            return (byte) random.nextInt();
        }
    },
    ZEROS {
        @Override
        byte next(SplittableRandom random, int i) {
            return 0;
        }
    },
    ALMOST_SEVENS {
        @Override
        byte next(SplittableRandom random, int i) {
            return (byte) (random.nextInt(2000) == 0 ? random.nextInt() : 7);
        }
    },
    TWO_SYMBOLS {
        @Override
        byte next(SplittableRandom random, int i) {
            return (byte) (random.nextInt(3) == 0 ? 200 : 100);
        }
    },
    FIBONACCI {
        @Override
        byte next(SplittableRandom random, int i) {
            int symbol = 0;
            while (symbol < 40 && random.nextInt(1000) < 382) {
                symbol++;
            }
            return (byte) (symbol * 6);
        }
    };

    static final int[] COUNTS = {1, 2, 7, 8, 9, 63, 399, 400, 401, 1023, 4099, 32768};

    abstract byte next(SplittableRandom random, int i);

    byte[] bytes(int count, long seed) {
        var random = new SplittableRandom(seed);
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = next(random, i);
        }
        return bytes;
    }

    private static int id(SplittableRandom random, double zeros) {
        if (random.nextDouble() < zeros) {
            return 0;
        }
        int magnitude = 1;
        while (magnitude < 7 && random.nextInt(5) == 0) {
            magnitude++;
        }
        return magnitude | (random.nextBoolean() ? 8 : 0);
    }
}
