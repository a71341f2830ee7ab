package dev.cairn.checkpoint.baseline;

import dev.cairn.checkpoint.Yardstick;
import dev.cairn.codec.block.BlockEncoder;
import java.util.List;
import java.util.Map;

/// A scheme that looks at the whole state to decide what each tensor of a delta keeps. Not thread-safe.
public sealed interface Baseline permits MostChanged, LeastSquares, Excp {
    /// The scheme of this name.
    static Baseline of(Yardstick yardstick) {
        return switch (yardstick.scheme()) {
            case SCAR -> new MostChanged(yardstick.setting(), MostChanged.Unit.ROW);
            case TOPN -> new MostChanged(yardstick.setting(), MostChanged.Unit.ELEMENT);
            case L2 -> new LeastSquares((int) yardstick.setting());
            case EXCP -> new Excp();
        };
    }

    /// The encoders of the next checkpoint, by the names of the tensors; one that is missing is to be stored exactly.
    /// They are valid until the next call, and for one tensor at a time.
    ///
    /// @param state weights and optimizer, of floating-point types
    Map<String, BlockEncoder> prepare(List<TensorPair> state);
}
