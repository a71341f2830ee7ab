package dev.cairn.engine;

/// How far one step goes.
///
/// @param step which step of the optimizer this is, counted from 1
/// @param rate the learning rate of this step
public record Update(long step, double rate) {}
