package dev.cairn.train.data;

/// The data of a run, in a train and a test split.
public sealed interface Dataset permits ImageSet, RatingSet {
    /// The name that users choose: `mnist`.
    String name();
}
