/// What changes a run: staging and committing checkpoints, merging chains, removing what retention gives up. All of it
/// by records of the log, and through the run's one [CheckpointWriter][dev.cairn.store.writing.CheckpointWriter].
@NullMarked
package dev.cairn.store.writing;

import org.jspecify.annotations.NullMarked;
