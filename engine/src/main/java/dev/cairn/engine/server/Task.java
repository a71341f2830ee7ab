package dev.cairn.engine.server;

/// What the workers have to do in one step: to compute the gradients of their shares of the batch at this position
/// of the data.
///
/// @param step the number of the step, counted from 1
/// @param scores whether the worker also scores the test split, with the weights that it gets for the task
public record Task(long step, long epoch, long position, boolean scores) {}
