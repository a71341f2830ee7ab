package dev.cairn.train.batch;

import dev.cairn.train.data.Dataset;
import dev.cairn.train.data.ImageSet;
import dev.cairn.train.data.Images;
import dev.cairn.train.data.RatingSet;
import dev.cairn.train.data.Ratings;
import dev.cairn.train.data.Scaling;
import java.util.List;
import java.util.stream.Stream;

/// The two splits of a data set, as batches.
public record Examples(Dataset data) {
    /// The number of examples of the training split.
    public int trainCount() {
        return switch (data) {
            case ImageSet images -> images.train().count();
            case RatingSet ratings -> ratings.train().count();
        };
    }

    /// The number of examples of the test split.
    public int testCount() {
        return switch (data) {
            case ImageSet images -> images.test().count();
            case RatingSet ratings -> ratings.test().count();
        };
    }

    /// Creates memory for this many batches, for one thread together.
    List<Batches> train(int largestBatch, int count) {
        return switch (data) {
            case ImageSet images -> batches(images.train(), images.scaling(), largestBatch, count);
            case RatingSet ratings -> batches(ratings.train(), largestBatch, count);
        };
    }

    /// Creates memory for one batch of the test split.
    public Batches test(int largestBatch) {
        return switch (data) {
            case ImageSet images ->
                batches(images.test(), images.scaling(), largestBatch, 1).getFirst();
            case RatingSet ratings -> batches(ratings.test(), largestBatch, 1).getFirst();
        };
    }

    private static List<Batches> batches(Images images, Scaling scaling, int largestBatch, int count) {
        Images.Inputs inputs = images.inputs(scaling);
        return Stream.<Batches>generate(() -> new Batches.OfImages(images, inputs, largestBatch))
                .limit(count)
                .toList();
    }

    private static List<Batches> batches(Ratings ratings, int largestBatch, int count) {
        return Stream.<Batches>generate(() -> new Batches.OfRatings(ratings, largestBatch))
                .limit(count)
                .toList();
    }

    /// The size of a batch of this many examples in memory, in bytes.
    long batchBytes(int size) {
        return switch (data) {
            case ImageSet images -> size * (4L * images.train().pixelsPerImage() + 8);
            case RatingSet _ -> size * 20L;
        };
    }

    /// The number of examples scored at a time: as many as take little memory.
    public int scoredAtOnce() {
        return switch (data) {
            case ImageSet images -> images.train().pixelsPerImage() > 10_000 ? 20 : 500;
            case RatingSet _ -> 10_000;
        };
    }
}
