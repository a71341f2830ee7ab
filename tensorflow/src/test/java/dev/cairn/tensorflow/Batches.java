package dev.cairn.tensorflow;

import dev.cairn.engine.Batch;
import dev.cairn.engine.CounterRandom;
import dev.cairn.engine.Model;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Made-up batches that depend only on their seed.
final class Batches {
    private static final int CLASSES = 10;

    private Batches() {}

    static Batch of(Model model, int size, long seed) {
        var random = new CounterRandom(seed, 99);
        return switch (model) {
            case Model.Network network -> labelled(network, size, random);
            case Model.Factorization factors -> rated(factors, size, random);
        };
    }

    private static Batch labelled(Model.Network network, int size, CounterRandom random) {
        int pixels = network.channels() * network.side() * network.side();
        MemorySegment images = allocate(4L * size * pixels);
        MemorySegment labels = allocate(8L * size);
        for (long i = 0; i < (long) size * pixels; i++) {
            images.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) random.nextGaussian());
        }
        fill(labels, CLASSES, random);
        return new Batch.Labelled(images, labels, size, size);
    }

    private static Batch rated(Model.Factorization factors, int size, CounterRandom random) {
        MemorySegment users = allocate(8L * size);
        MemorySegment items = allocate(8L * size);
        MemorySegment ratings = allocate(4L * size);
        fill(users, factors.users(), random);
        fill(items, factors.items(), random);
        for (int i = 0; i < size; i++) {
            ratings.setAtIndex(ValueLayout.JAVA_FLOAT, i, 1 + random.nextInt(5));
        }
        return new Batch.Rated(users, items, ratings, size);
    }

    private static void fill(MemorySegment longs, int bound, CounterRandom random) {
        for (long i = 0; i < longs.byteSize() / 8; i++) {
            longs.setAtIndex(ValueLayout.JAVA_LONG, i, random.nextInt(bound));
        }
    }

    private static MemorySegment allocate(long bytes) {
        return Arena.ofAuto().allocate(bytes, 64);
    }
}
