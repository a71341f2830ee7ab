/// Checkpoints for a training loop: capture → commit in the background → restore.
///
/// [Checkpoints] is the whole of it for a user: open a run, restore the latest, call `afterStep` in the loop, close.
/// A [TrainingState] shows the loop's live tensors and attributes; a [SavePolicy] says when; a listener hears of every
/// save, failure and skip.
@NullMarked
package dev.cairn.checkpoint;

import org.jspecify.annotations.NullMarked;
