/// Changes to a run: staging and committing checkpoints, merging chains, removing checkpoints that retention does not
/// keep. All changes are records in the log, made through the run's only
/// [CheckpointWriter][dev.cairn.store.writing.CheckpointWriter].
@NullMarked
package dev.cairn.store.writing;

import org.jspecify.annotations.NullMarked;
