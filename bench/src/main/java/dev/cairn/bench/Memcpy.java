package dev.cairn.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The best speed at which the machine copies memory.
public final class Memcpy {
    private static final long BYTES = 16 << 20;
    private static final int ROUNDS = 20;

    private Memcpy() {}

    public static double bytesPerSecond() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment from = arena.allocate(BYTES, 64).fill((byte) 1);
            MemorySegment to = arena.allocate(BYTES, 64);
            double best = Double.MAX_VALUE;
            for (int round = 0; round < ROUNDS; round++) {
                long start = System.nanoTime();
                to.copyFrom(from);
                best = Math.min(best, (System.nanoTime() - start) / 1e9);
            }
            return BYTES / best;
        }
    }
}
