package dev.cairn.engine.server;

/// What the workers have to do in one step: to compute the gradients of their shares of the batch at this position of
/// the data.
///
/// @param step the number of the step, counted from 1
public record Task(long step, long epoch, long position) {}
