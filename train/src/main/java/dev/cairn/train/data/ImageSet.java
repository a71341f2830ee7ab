package dev.cairn.train.data;

/// Images in two splits, with the same shape and the same classes.
///
/// @param scaling gives the inputs of this set mean 0 and variance 1
public record ImageSet(String name, Images train, Images test, Scaling scaling) implements Dataset {
    public ImageSet {
        if (train.channels() != test.channels()
                || train.height() != test.height()
                || train.width() != test.width()
                || train.classes() != test.classes()) {
            throw new IllegalArgumentException("splits differ in shape: train=%s test=%s".formatted(train, test));
        }
    }
}
