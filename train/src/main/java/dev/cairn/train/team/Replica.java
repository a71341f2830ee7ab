package dev.cairn.train.team;

import dev.cairn.checkpoint.TrainingState;

/// The state of a training as one process of its team has it. After each step all processes have the same state.
public interface Replica extends TrainingState {
    /// A process that has no state yet.
    long NONE = -1;

    /// The number of finished steps.
    long step();

    /// How far the state has come: greater is further. [#NONE] if this process has no state.
    long progress();

    /// Announces that the tensors are overwritten from now on. Until [#restored] is called, there is no state.
    void overwriting();
}
