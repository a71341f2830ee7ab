package dev.cairn.train.batch;

import dev.cairn.engine.Batch;
import dev.cairn.train.data.Images;
import dev.cairn.train.data.Ratings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntUnaryOperator;

/// Loads examples as batches into native memory, which is reused: a batch is valid until the next one is loaded. For
/// one thread at a time.
public sealed interface Batches extends AutoCloseable {
    /// Loads `size` examples; `example` gives the number of each.
    Batch load(int size, IntUnaryOperator example);

    @Override
    void close();

    /// Batches of images.
    final class OfImages implements Batches {
        private final Images source;
        private final Images.Inputs inputs;
        private final int capacity;
        private final Arena arena = Arena.ofShared();
        private final MemorySegment images;
        private final MemorySegment labels;

        /// @param inputs the inputs of the source; may be shared with other batches of the same thread
        public OfImages(Images source, Images.Inputs inputs, int largestBatch) {
            this.source = source;
            this.inputs = inputs;
            this.capacity = largestBatch;
            this.images = arena.allocate(4L * source.pixelsPerImage() * largestBatch, 64);
            this.labels = arena.allocate(8L * largestBatch, 64);
        }

        @Override
        public Batch load(int size, IntUnaryOperator example) {
            inputs.copy(size, example, images);
            for (int i = 0; i < size; i++) {
                labels.setAtIndex(ValueLayout.JAVA_LONG, i, source.label(example.applyAsInt(i)));
            }
            return new Batch.Labelled(images, labels, capacity, size);
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    /// Batches of ratings.
    final class OfRatings implements Batches {
        private final Ratings source;
        private final Arena arena = Arena.ofShared();
        private final MemorySegment users;
        private final MemorySegment items;
        private final MemorySegment ratings;

        public OfRatings(Ratings source, int largestBatch) {
            this.source = source;
            this.users = arena.allocate(8L * largestBatch, 64);
            this.items = arena.allocate(8L * largestBatch, 64);
            this.ratings = arena.allocate(4L * largestBatch, 64);
        }

        @Override
        public Batch load(int size, IntUnaryOperator example) {
            for (int i = 0; i < size; i++) {
                int number = example.applyAsInt(i);
                users.setAtIndex(ValueLayout.JAVA_LONG, i, source.user(number));
                items.setAtIndex(ValueLayout.JAVA_LONG, i, source.item(number));
                ratings.setAtIndex(ValueLayout.JAVA_FLOAT, i, source.rating(number));
            }
            return new Batch.Rated(users, items, ratings, size);
        }

        @Override
        public void close() {
            arena.close();
        }
    }
}
