package dev.cairn.checkpoint;

import dev.cairn.store.TensorSpec;
import java.io.IOException;
import java.util.List;

/// Makes the live state for a checkpoint that is about to be restored, with memory for exactly these tensors. For a
/// program that learns from the checkpoint which tensors its state has, such as one that holds the state for another
/// process.
@FunctionalInterface
public interface StateMaker {
    /// Returns a state with these tensors. Called once for each checkpoint that is tried, the newest first; memory of
    /// an earlier call is not used any more.
    TrainingState stateOf(List<TensorSpec> tensors) throws IOException;
}
