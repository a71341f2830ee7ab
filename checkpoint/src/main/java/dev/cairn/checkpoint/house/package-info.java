/// The work after saves, on its own thread: merges chains and removes the checkpoints that retention does not keep.
@NullMarked
package dev.cairn.checkpoint.house;

import org.jspecify.annotations.NullMarked;
