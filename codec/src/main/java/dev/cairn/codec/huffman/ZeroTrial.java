package dev.cairn.codec.huffman;

import java.util.Random;

/// Sample bytes for the loops of [ZeroSplit], in whole blocks: a remainder is scalar in both implementations.
final class ZeroTrial {
    private static final int COUNT = 16 * VectorZeroSplit.BLOCK;

    private final byte[] bytes = new byte[COUNT];
    private final byte[] flags = new byte[ZeroSplit.flagBytes(COUNT)];
    private final byte[] nonZero = new byte[COUNT + ZeroSplit.SLACK];

    ZeroTrial() {
        var random = new Random(3);
        for (int i = 0; i < COUNT; i++) {
            bytes[i] = (byte) Math.max(0, random.nextInt(-20, 10));
        }
    }

    void split() {
        ZeroSplit.split(bytes, 0, 0, COUNT, flags, nonZero, 0);
    }

    void splitByVectors() {
        VectorZeroSplit.split(bytes, 0, COUNT, flags, nonZero);
    }
}
