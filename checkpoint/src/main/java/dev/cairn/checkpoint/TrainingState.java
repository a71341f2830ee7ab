package dev.cairn.checkpoint;

import dev.cairn.store.Attributes;
import java.util.List;

/// All the state that an exact resume needs. Its methods are called only on the training thread, between steps.
public interface TrainingState {
    /// Returns a state of these tensors only, for a training whose data and random numbers follow from its step.
    static TrainingState of(LiveTensor... tensors) {
        return new TensorsAlone(List.of(tensors));
    }

    /// Returns the live tensors. Names are unique, and names, types and shapes are the same at every call. State
    /// that is kept elsewhere, such as in a random generator, is copied into its tensor by this call.
    ///
    /// If the loop calls [Checkpoints#beforeUpdate], tensors with the role of a weight, of a moment or of
    /// optimizer state may still be read after the call that saves, until the next update. Nothing else may
    /// change or free them. Tensors that a forward pass changes must have one of the other roles.
    List<LiveTensor> tensors();

    /// Returns the state that is not a tensor: epoch, position in the data, seeds, hyperparameters, metrics.
    Attributes attributes();

    /// Called after the tensors have been overwritten with the values of a checkpoint, with its step and
    /// attributes. State that is kept elsewhere must now be set from its tensor.
    ///
    /// Any other exception than the one below is an error of this state. It ends the restore and is passed to the
    /// caller.
    ///
    /// @throws dev.cairn.store.UnfitAttributesException if the attributes do not fit: the checkpoint is passed
    ///     over
    void restored(long step, Attributes attributes);
}
