package dev.cairn.engine;

/// A learner that owns the state that its steps change. The state is in this process.
public interface LocalLearner extends Learner, StateOwner {}
