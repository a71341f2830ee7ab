/// Exports checkpoints to files of other programs, and imports such files as checkpoints, bit for bit.
@NullMarked
package dev.cairn.transfer;

import org.jspecify.annotations.NullMarked;
