package dev.cairn.engine;

import dev.cairn.checkpoint.LiveTensor;
import java.util.List;

/// Owns the live state of a training. A save captures this state, and a restore fills it. The process that makes
/// the steps may be another one: with a parameter server, the server owns the state.
public interface StateOwner {
    /// The whole live state: weights, optimizer state and random generator. The memory is the state itself or a
    /// mirror of it. It stays valid and unchanged until `beforeUpdate` of the next step returns. A caller that
    /// writes to it must call [#tensorsRestored] afterwards.
    List<LiveTensor> tensors();

    /// Reports that the memory of [#tensors] was overwritten. If the state is elsewhere, it takes the new values
    /// now.
    void tensorsRestored();
}
