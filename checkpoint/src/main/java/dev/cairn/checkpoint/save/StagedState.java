package dev.cairn.checkpoint.save;

import dev.cairn.checkpoint.WeightError;
import dev.cairn.checkpoint.encode.SchemeRule.Decision;
import dev.cairn.store.log.LogRecord.Parent;
import dev.cairn.store.segment.Staged;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A captured state that is encoded and on storage, durably, but not a checkpoint yet; with all that is known of it.
///
/// @param parent what it is a delta of; null for a base
/// @param error what the weights are off
/// @param decision how the weights were quantized; empty where all is exact
record StagedState(Staged staged, @Nullable Parent parent, WeightError error, Optional<Decision> decision) {}
