package dev.cairn.train.job;

import dev.cairn.checkpoint.CheckpointOptions;
import java.util.Optional;

/// How a job saves.
///
/// @param options the options without a copy; the job adds the copy, the observers and the remaining time
/// @param copy where to copy the checkpoints during training
public record Saving(CheckpointOptions options, Optional<Place> copy) {}
