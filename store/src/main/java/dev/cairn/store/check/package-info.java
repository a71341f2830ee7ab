/// Checks whether checkpoints are intact: by the sizes of their files, by every checksum, or by reconstructing every
/// value. Changes nothing.
@NullMarked
package dev.cairn.store.check;

import org.jspecify.annotations.NullMarked;
