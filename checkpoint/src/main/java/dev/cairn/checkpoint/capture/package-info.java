/// Captures the state of the training. Only here may the training have to wait. If the loop announces its updates,
/// the copies are made during the next forward and backward pass.
@NullMarked
package dev.cairn.checkpoint.capture;

import org.jspecify.annotations.NullMarked;
