package dev.cairn.checkpoint;

import dev.cairn.store.Attributes;
import java.util.List;

/// All that an exact resume needs, as the training sees it. Called on the training thread only, between steps.
public interface TrainingState {
    /// The live tensors, each name once, the same names, types and shapes every time. State that lives elsewhere (a
    /// random generator, say) is copied into its tensor by this call.
    List<LiveTensor> tensors();

    /// Epoch, place in the data, seeds, hyperparameters, metrics: what is not a tensor.
    Attributes attributes();

    /// The tensors have been overwritten with a checkpoint's values; these are its step and attributes. State that
    /// lives elsewhere is set from its tensor now. An exception means that the attributes make no sense: the
    /// checkpoint is passed over as damaged.
    void restored(long step, Attributes attributes);
}
