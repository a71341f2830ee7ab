/// Checkpoints as files of other programs, and such files as checkpoints, bit for bit.
@NullMarked
package dev.cairn.transfer;

import org.jspecify.annotations.NullMarked;
