package dev.cairn.checkpoint.baseline;

import dev.cairn.codec.block.BlockEncoder;
import java.util.List;
import java.util.Map;

/// A scheme that looks at the whole state to decide what each tensor of a delta keeps. Not thread-safe.
public sealed interface Baseline permits MostChanged, LeastSquares, Excp {
    /// Returns the encoders of the next checkpoint by tensor name. A tensor without an encoder must be stored
    /// exactly. The encoders are valid until the next call, and for one tensor at a time.
    ///
    /// @param state the weights and the optimizer state, of floating-point types
    Map<String, BlockEncoder> prepare(List<TensorPair> state);
}
