package dev.cairn.train.job;

import dev.cairn.checkpoint.CheckpointOptions;
import java.util.Optional;

/// How a job saves.
///
/// @param options without a copy; the job adds it, the observers and the time that is left
/// @param copy where to copy the checkpoints during training
public record Saving(CheckpointOptions options, Optional<Place> copy) {}
