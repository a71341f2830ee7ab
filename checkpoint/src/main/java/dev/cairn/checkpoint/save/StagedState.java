package dev.cairn.checkpoint.save;

import dev.cairn.checkpoint.DeltaExponents;
import dev.cairn.checkpoint.WeightError;
import dev.cairn.checkpoint.encode.SchemeRule.Decision;
import dev.cairn.store.log.LogRecord.Parent;
import dev.cairn.store.segment.Staged;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A captured state that is encoded and stored durably, but is not a checkpoint yet.
///
/// @param parent the parent of the delta; null for a base
/// @param error the error of the weights
/// @param decision how the weights were quantized; empty if everything is exact
/// @param delta how much the weights changed since the parent; empty for a base
record StagedState(
        Staged staged,
        @Nullable Parent parent,
        WeightError error,
        Optional<Decision> decision,
        Optional<DeltaExponents> delta) {}
