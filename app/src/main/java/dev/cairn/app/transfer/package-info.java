/// Checkpoints as files of other programs, and such files as checkpoints: block by block, so that memory does not
/// grow with the state.
@NullMarked
package dev.cairn.app.transfer;

import org.jspecify.annotations.NullMarked;
