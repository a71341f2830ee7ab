package dev.cairn.engine;

/// One step of an optimizer.
///
/// @param step the number of the step, counted from 1
/// @param rate the learning rate of this step
public record Update(long step, double rate) {}
