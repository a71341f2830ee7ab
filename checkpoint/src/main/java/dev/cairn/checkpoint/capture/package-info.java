/// Takes the state from the training: the only moment for which the training may wait. Copies are made beside the next
/// forward and backward pass where the loop announces its updates.
@NullMarked
package dev.cairn.checkpoint.capture;

import org.jspecify.annotations.NullMarked;
