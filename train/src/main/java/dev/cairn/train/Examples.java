package dev.cairn.train;

import dev.cairn.train.data.Dataset;
import dev.cairn.train.data.ImageSet;
import dev.cairn.train.data.RatingSet;

/// The two splits of a data set, as batches.
record Examples(Dataset data) {
    int trainCount() {
        return switch (data) {
            case ImageSet images -> images.train().count();
            case RatingSet ratings -> ratings.train().count();
        };
    }

    int testCount() {
        return switch (data) {
            case ImageSet images -> images.test().count();
            case RatingSet ratings -> ratings.test().count();
        };
    }

    Batches train(int largestBatch) {
        return switch (data) {
            case ImageSet images -> new Batches.OfImages(images.train(), images.scaling(), largestBatch);
            case RatingSet ratings -> new Batches.OfRatings(ratings.train(), largestBatch);
        };
    }

    Batches test(int largestBatch) {
        return switch (data) {
            case ImageSet images -> new Batches.OfImages(images.test(), images.scaling(), largestBatch);
            case RatingSet ratings -> new Batches.OfRatings(ratings.test(), largestBatch);
        };
    }

    /// How many are scored at a time: as many as do not take much memory.
    int scoredAtOnce() {
        return switch (data) {
            case ImageSet images -> images.train().pixelsPerImage() > 10_000 ? 20 : 500;
            case RatingSet _ -> 10_000;
        };
    }
}
