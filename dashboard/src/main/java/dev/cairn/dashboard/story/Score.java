package dev.cairn.dashboard.story;

/// How well the model did on the test split.
///
/// @param time in milliseconds since 1970
/// @param measure the name of the score, such as `accuracy`
/// @param score NaN or infinite if the model has become useless
public record Score(long time, long step, String measure, double score, double testLoss) {}
