/// Checkpoints for a training loop: capture, commit in the background, restore.
///
/// A training loop, and a listener that hears of its saves, import this package alone. [Checkpoints] opens a run,
/// restores its newest checkpoint, and saves after each step where a save is due. A [TrainingState] shows the loop's
/// live tensors and attributes. [CheckpointOptions] say how often to save, how to encode, and what to keep. A
/// [CheckpointEvent] tells of every save, failure and skip. A [Checkpoint] describes what was saved.
///
/// Some words come from the storage module, because storage needs them, too. They are exported there:
/// - `dev.cairn.store`: attributes, descriptions and roles of tensors, and what can go wrong with storage;
/// - `dev.cairn.store.blob`: storage other than a folder;
/// - `dev.cairn.store.retention`: which checkpoints to keep;
/// - `dev.cairn.store.right`: how to become the one writer of a run;
/// - `dev.cairn.store.reading` and `dev.cairn.store.log`: for programs that read checkpoints without a training. The
///   log's record of a checkpoint is a `Commit`; [Checkpoint#id] finds it.
@NullMarked
package dev.cairn.checkpoint;

import org.jspecify.annotations.NullMarked;
