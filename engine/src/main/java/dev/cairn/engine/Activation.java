package dev.cairn.engine;

/// A nonlinear function between the layers of a network.
public enum Activation {
    RELU,
    TANH
}
