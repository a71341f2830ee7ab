/// Checkpoints for a training loop: capture, commit in the background, restore.
///
/// A training loop, and a listener to its events, need to import only this package. [Checkpoints] opens a run,
/// restores its newest checkpoint, and saves after each step at which a save is due. A [TrainingState] gives
/// access to the live tensors and attributes of the loop. [CheckpointOptions] define how often to save, how to
/// encode, and what to keep. A [CheckpointEvent] reports every save, failure and skip. A [Checkpoint] describes a
/// saved state.
///
/// Some types come from the storage module, because storage also needs them. It exports them:
/// - `dev.cairn.store`: attributes, descriptions and roles of tensors, and the exceptions of storage;
/// - `dev.cairn.store.location`: where a run is: a folder or a URI;
/// - `dev.cairn.store.blob`: storage other than a folder;
/// - `dev.cairn.store.retention`: which checkpoints to keep;
/// - `dev.cairn.store.right`: how to become the one writer of a run;
/// - `dev.cairn.store.reading` and `dev.cairn.store.log`: for programs that read checkpoints without a training.
///   The log's record of a checkpoint is a `Commit`; [Checkpoint#id] finds it.
@NullMarked
package dev.cairn.checkpoint;

import org.jspecify.annotations.NullMarked;
