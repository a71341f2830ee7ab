package dev.cairn.train.data;

/// What a run learns from and what it is measured on, in a train and a test split.
public sealed interface Dataset permits ImageSet, RatingSet {
    /// As it is asked for: `mnist`.
    String name();
}
