package dev.cairn.train;

import dev.cairn.engine.Batch;
import dev.cairn.train.data.Images;
import dev.cairn.train.data.Scaling;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntUnaryOperator;

/// Turns examples into batches in native memory, which is reused: a batch is valid until the next one is loaded.
public final class BatchLoader implements AutoCloseable {
    private final Images source;
    private final Scaling scaling;
    private final float[] image;
    private final int capacity;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment images;
    private final MemorySegment labels;

    public BatchLoader(Images source, Scaling scaling, int largestBatch) {
        this.source = source;
        this.scaling = scaling;
        this.capacity = largestBatch;
        this.images = arena.allocate(4L * largestBatch * source.pixelsPerImage(), 64);
        this.labels = arena.allocate(8L * largestBatch, 64);
        this.image = new float[source.pixelsPerImage()];
    }

    /// Loads `size` examples; `example` gives the number of each.
    public Batch load(int size, IntUnaryOperator example) {
        for (int i = 0; i < size; i++) {
            int number = example.applyAsInt(i);
            source.copyImage(number, image, 0);
            for (int pixel = 0; pixel < image.length; pixel++) {
                image[pixel] = (image[pixel] - scaling.mean()) / scaling.spread();
            }
            MemorySegment.copy(image, 0, images, ValueLayout.JAVA_FLOAT, 4L * i * image.length, image.length);
            labels.setAtIndex(ValueLayout.JAVA_LONG, i, source.label(number));
        }
        return new Batch(images, labels, capacity, size);
    }

    @Override
    public void close() {
        arena.close();
    }
}
