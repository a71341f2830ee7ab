package dev.cairn.engine;

/// What makes a network more than a linear map.
public enum Activation {
    RELU,
    TANH
}
