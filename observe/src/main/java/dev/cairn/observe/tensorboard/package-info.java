/// Writes the curves of a training as TensorBoard's event files: `docs/TENSORBOARD.md` describes tags and folders.
@NullMarked
package dev.cairn.observe.tensorboard;

import org.jspecify.annotations.NullMarked;
