package dev.cairn.checkpoint;

import dev.cairn.store.Attributes;
import java.util.List;

/// All that an exact resume needs, as the training sees it. Called on the training thread only, between steps.
public interface TrainingState {
    /// A state of these tensors alone, for a training whose data and chance follow from its step.
    static TrainingState of(LiveTensor... tensors) {
        return new TensorsAlone(List.of(tensors));
    }

    /// The live tensors, each name once, the same names, types and shapes every time. State that lives elsewhere (a
    /// random generator, say) is copied into its tensor by this call.
    ///
    /// Where the loop calls [Checkpoints#beforeUpdate], tensors whose role is a weight, a moment or the
    /// optimizer's may still be read after the call that saves, up to the next update: nothing else may
    /// change or free them. What a forward pass changes has one of the other roles.
    List<LiveTensor> tensors();

    /// Epoch, place in the data, seeds, hyperparameters, metrics: what is not a tensor.
    Attributes attributes();

    /// The tensors have been overwritten with a checkpoint's values; these are its step and attributes. State that
    /// lives elsewhere is set from its tensor now.
    ///
    /// Any exception but the one below is an error of this state: it ends the restore and reaches its caller.
    ///
    /// @throws dev.cairn.store.UnfitAttributesException where they do not fit: the checkpoint is passed over
    void restored(long step, Attributes attributes);
}
