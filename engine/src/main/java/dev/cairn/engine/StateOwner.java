package dev.cairn.engine;

import dev.cairn.checkpoint.LiveTensor;
import java.util.List;

/// Owns the live state of a training: what is captured when a checkpoint is saved, and filled when one is restored. A
/// process that makes steps need not be the one that owns the state: with a parameter server, the server does.
public interface StateOwner {
    /// The whole live state: weights, optimizer, random generator. The memory is that of the state itself, or a
    /// mirror of it. It stays valid and unchanged until the next step's `beforeUpdate` has returned. Whoever writes
    /// to it calls [#tensorsRestored] afterwards.
    List<LiveTensor> tensors();

    /// The memory of [#tensors] was overwritten: state that lives elsewhere takes the new values now.
    void tensorsRestored();
}
